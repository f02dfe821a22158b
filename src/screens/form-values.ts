import { type Condition, type Field, type Input, matches, type Resource } from '#engine'
import { isEmpty, type WireRow } from './fields/props.ts'

/** What a form holds: a value per input, none where nothing is entered. */
export type Values = Record<string, unknown>

/** Every input of a form, whatever its group. */
export const inputsOf = (resource: Resource) => resource.form.flatMap(group => group.inputs)

/** A resource whose form asks for these fields alone, whatever else the row holds. */
export function withInputs(resource: Resource, names: readonly string[]): Resource {
  const inputs = inputsOf(resource)
    .filter(({ field }) => names.includes(field))
    .map(({ when: _, ...input }) => input)
  return { ...resource, form: [{ title: '', inputs }], children: [] }
}

/** A resource whose form does not ask for what is known. */
export const withoutInputs = (resource: Resource, known: Values): Resource => ({
  ...resource,
  form: resource.form
    .map(group => ({ ...group, inputs: group.inputs.filter(({ field }) => !(field in known)) }))
    .filter(({ inputs }) => inputs.length > 0),
})

/** A field of the entity that an input shows. */
export function fieldAt(resource: Resource, name: string): Field {
  const field = resource.entity.properties[name]
  if (!field) throw new Error(`${resource.name} has no field "${name}"`)
  return field
}

/** The wire sends numbers as text here and there; the schema of the form wants the kind's own type. */
function typed(field: Field, value: unknown): unknown {
  if (isEmpty(value)) return undefined
  if (field.type === 'integer' || field.type === 'number') return Number(value)
  return field.type === 'string' ? String(value) : value
}

/**
 * What a form starts with: the row being edited, or the defaults of a new one and what the caller gives. The moment of the insert
 * is known to the server alone.
 */
export function startValues(resource: Resource, row: WireRow | null, given: Values = {}): Values {
  const entries = inputsOf(resource).map(({ field: name }) => {
    const field = fieldAt(resource, name)
    const value = row ? row[name] : (given[name] ?? (field.default === '$now' ? undefined : field.default))
    return [name, typed(field, value)] as const
  })
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** Whether an input is shown while the form holds these values. */
export const isShown = (input: Input, values: Values): boolean => matches(values, input.when as Condition | undefined)

/** Names of the inputs that the form shows now. */
export function visibleFields(resource: Resource, values: Values): ReadonlySet<string> {
  const shown = inputsOf(resource).filter(input => isShown(input, values))
  return new Set(shown.map(input => input.field))
}

/** What a form holds after a change: references narrowed by what has changed are empty again. */
export function withoutStrays(resource: Resource, before: Values, after: Values): Values {
  const strays = inputsOf(resource).filter(({ field }) => {
    const { within } = fieldAt(resource, field)
    return within !== undefined && before[within] !== after[within] && after[field] === before[field]
  })
  return { ...after, ...Object.fromEntries(strays.map(({ field }) => [field, undefined])) }
}

/**
 * The body of a submit. A cleared input is sent as `""`, which is this wire's "no value"; one never filled does not
 * travel. Hidden inputs and untouched passwords stay behind, the version guards an edit.
 */
export function bodyOf(resource: Resource, values: Values, row: WireRow | null): Values {
  const body: Values = {}
  for (const name of visibleFields(resource, values)) {
    const value = values[name]
    if (!isEmpty(value)) body[name] = value
    else if (row && !isEmpty(row[name])) body[name] = ''
  }
  if (!row) return body
  const { version, properties } = resource.entity
  // One that people see is a field and guards as well.
  const isGuarded = version || properties.version?.kind === 'integer'
  return { ...body, ...(isGuarded && { version: row.version }) }
}
