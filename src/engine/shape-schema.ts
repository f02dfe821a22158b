import type { Download } from './endpoint.ts'
import { type Field, valueRules } from './field.ts'
import type { Group, Shape, Shapes, Tree } from './shape.ts'

/** A JSON Schema as validators and descriptions take it. */
export type Schema = { readonly [word: string]: unknown }

/** The id of a row in a request: a positive number of 64 bits. */
export const idPattern = '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$'

const isField = (shape: Shape | Download): shape is Field => 'kind' in shape

/** What may be sent for a field. That it may be left out is said by its group. */
function askedField(field: Field): Schema {
  const { optional: _o, default: _d, of: _s, ...rules } = valueRules(field)
  return field.kind === 'ref' ? { ...rules, pattern: idPattern } : rules
}

/** What is answered for a field: its type and its choices. Limits are those of what is entered, and a mask keeps none of them. */
function answeredField({ kind, title, type, format, enum: choices, dict, ref, optional, of }: Field): Schema {
  const own: Schema = {
    kind,
    title,
    type: kind === 'decimal' ? 'string' : type,
    ...(format && (kind === 'date' || kind === 'dateTime') && { format }),
    ...(choices && { enum: choices }),
    ...(dict && { dict }),
    ...(ref && { ref }),
  }
  if (kind === 'json' && !of) return { kind, title }
  const whole = of ? { kind, title, ...schemaOf(of as Shape, answeredField) } : own
  return optional ? orEmpty(whole) : whole
}

const empty: Schema = { const: '' }
const orEmpty = (schema: Schema): Schema => ({
  ...('title' in schema && { title: schema.title, kind: schema.kind }),
  anyOf: [empty, schema],
})

type Way = (field: Field) => Schema

const isOpen = (shape: Shape): boolean =>
  ('shape' in shape && shape.shape === 'sometimes') || ('optional' in shape && shape.optional === true)

function groupSchema(of: Shapes, way: Way, required: readonly string[], isWide = false): Schema {
  return {
    type: 'object',
    additionalProperties: isWide,
    properties: Object.fromEntries(Object.entries(of).map(([name, one]) => [name, schemaOf(one, way)])),
    required,
  }
}

const paging = { total: 'integer', size: 'integer', current: 'integer', pages: 'integer' } as const

function pageSchema(of: Shape, way: Way): Schema {
  const numbers = Object.fromEntries(Object.entries(paging).map(([name, type]) => [name, { type }]))
  return {
    type: 'object',
    additionalProperties: false,
    properties: { records: { type: 'array', items: schemaOf(of, way) }, ...numbers },
    required: ['records', ...Object.keys(paging)],
  }
}

const groupOf = ({ of, open }: Group, way: Way): Schema => {
  const shapes = of as Shapes
  const names = Object.keys(shapes)
  const isMissing = way === askedField ? isOpen : (one: Shape) => 'shape' in one && one.shape === 'sometimes'
  return groupSchema(
    shapes,
    way,
    names.filter(name => !isMissing(shapes[name] as Shape)),
    open,
  )
}

function schemaOf(shape: Shape, way: Way): Schema {
  if (isField(shape)) return way(shape)
  switch (shape.shape) {
    case 'group':
      return groupOf(shape, way)
    case 'tree':
      return { $ref: `#/$defs/${shape.name}` }
    case 'list': {
      const { of, min, max } = shape
      const limits = { ...(min !== undefined && { minItems: min }), ...(max !== undefined && { maxItems: max }) }
      return { type: 'array', items: schemaOf(of as Shape, way), ...limits }
    }
    case 'page':
      return pageSchema(shape.of as Shape, way)
    case 'keyed':
      return { type: 'object', additionalProperties: schemaOf(shape.of as Shape, way) }
    case 'maybe':
      return orEmpty(schemaOf(shape.of as Shape, way))
    case 'sometimes':
      return schemaOf(shape.of as Shape, way)
    case 'either':
      return { anyOf: (shape.of as readonly Shape[]).map(one => schemaOf(one, way)) }
    case 'words':
      return { title: shape.title, type: typeof shape.of[0] === 'number' ? 'integer' : 'string', enum: shape.of }
    case 'truth':
      return { title: shape.title, type: 'boolean' }
    case 'real':
      return { title: shape.title, type: 'number' }
  }
}

/**
 * The JSON Schema of the values of a request: names that are neither given here nor left open are refused.
 * @param open further names are accepted
 */
export const requestSchema = (of: Shapes, open?: true): Schema =>
  groupOf({ shape: 'group', of, ...(open && { open }) }, askedField)

/** The shapes that a shape consists of. */
function partsOf(shape: Shape): readonly Shape[] {
  if (isField(shape)) return shape.of ? [shape.of as Shape] : []
  if (shape.shape === 'group' || shape.shape === 'tree') return Object.values(shape.of as Shapes)
  const isMade = ['list', 'page', 'keyed', 'maybe', 'sometimes', 'either'].includes(shape.shape)
  return isMade ? [shape.of as Shape | readonly Shape[]].flat() : []
}

/** The trees in a shape, at any depth. */
const treesIn = (shape: Shape): readonly Tree[] => [
  ...('shape' in shape && shape.shape === 'tree' ? [shape] : []),
  ...partsOf(shape).flatMap(treesIn),
]

const withBelow = (tree: Tree): Group => ({
  shape: 'group',
  of: { ...(tree.of as Shapes), children: { shape: 'sometimes', of: { shape: 'list', of: tree } } },
})

/** The JSON Schema of an answer's `data`; what refers to itself stands in `$defs` by its name. */
export function answerSchema(shape: Shape): Schema {
  const schema = schemaOf(shape, answeredField)
  const trees = treesIn(shape).map(tree => [tree.name, groupOf(withBelow(tree), answeredField)] as const)
  return trees.length > 0 ? { ...schema, $defs: Object.fromEntries(trees) } : schema
}

const words: { readonly [K in Field['kind']]?: unknown } = {
  integer: 1,
  money: 10000,
  decimal: '1.5',
  flag: 1,
  date: '2026-03-01',
  dateTime: '2026-03-01 09:00:00',
  ref: '1894021178513715201',
  refs: '1894021178513715201',
  image: '1894021178513715201',
  file: '1894021178513715201',
  region: '350100',
  sealed: '350102********1234',
  secret: '********',
  richText: '<p>…</p>',
  json: {},
}

function fieldExample({ kind, title, enum: choices, minimum, format, of }: Field): unknown {
  if (of) return exampleOf(of as Shape)
  if (choices && choices.length > 0) return choices[0]
  if (format === 'email') return 'name@example.org'
  if (format === 'phone') return '13800001234'
  const example = words[kind] ?? title
  return kind === 'integer' && minimum !== undefined && minimum > 1 ? minimum : example
}

/** One value of a shape, to be read by people. */
export function exampleOf(shape: Shape): unknown {
  if (isField(shape)) return fieldExample(shape)
  switch (shape.shape) {
    case 'group':
      return Object.fromEntries(Object.entries(shape.of as Shapes).map(([name, one]) => [name, exampleOf(one)]))
    case 'tree': {
      const leaf = exampleOf({ shape: 'group', of: shape.of }) as object
      return { ...leaf, children: [leaf] }
    }
    case 'list':
      return [exampleOf(shape.of as Shape)]
    case 'page':
      return { records: [exampleOf(shape.of as Shape)], total: 1, size: 10, current: 1, pages: 1 }
    case 'keyed':
      return { key: exampleOf(shape.of as Shape) }
    case 'maybe':
    case 'sometimes':
      return exampleOf(shape.of as Shape)
    case 'either':
      return exampleOf((shape.of as readonly Shape[])[0] as Shape)
    case 'words':
      return shape.of[0]
    case 'truth':
      return true
    case 'real':
      return 12.5
  }
}
