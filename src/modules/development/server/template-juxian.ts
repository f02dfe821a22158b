import { type Dictionaries, defaultOf, isBase, kindOf, labelOf, type NamedDictionary, wayOf } from './fields.ts'
import type { FieldRow } from './rows.ts'
import { addressOf, type GeneratedFile, indented, type Module, quote, type Shape, slugOf } from './template.ts'

const camel = (name: string): string => name.replace(/[_-]+(\w)/g, (_, letter: string) => letter.toUpperCase())

/** What a dictionary is called in the program; one that is generated is called by its code. */
const dictionaryName = ({ exported, code }: NamedDictionary): string => exported ?? `${camel(code)}Words`

/** File of a dictionary that the program does not have yet. */
const dictionaryFile = ({ code }: NamedDictionary): string =>
  `dictionary-${code.toLowerCase().replace(/[^\w]+/g, '-')}.ts`

const literal = (value: string | number): string => (typeof value === 'number' ? String(value) : quote(value))

/** What a key of whole numbers is called; nobody has said so of a dictionary that is generated. */
const keyNameOf = ({ names }: NamedDictionary, key: string): string =>
  Object.entries(names ?? {}).find(([, one]) => String(one) === key)?.[0] ?? `key${key}`

/** A key as code says it: by its name where it is a number. */
const keyText = (dictionary: NamedDictionary, key: string, called = dictionaryName(dictionary)): string =>
  dictionary.type === 'integer' ? `${called}.names.${keyNameOf(dictionary, key)}` : quote(key)

/** The constructor of a field with everything the model says of it. */
function fieldText(field: FieldRow, dictionaries: Dictionaries): string {
  const kind = kindOf(field)
  const dictionary = dictionaries.get(field.dictCode ?? '')
  const preset = defaultOf(field, dictionaries)
  const options = [
    field.maxLength ? `maxLength: ${field.maxLength}` : '',
    field.isUnique === 1 ? 'unique: true' : '',
    preset === undefined ? '' : `default: ${dictionary ? keyText(dictionary, String(preset)) : literal(preset)}`,
  ].filter(Boolean)
  const values = [
    quote(labelOf(field)),
    ...(dictionary && (kind === 'dict' || kind === 'state') ? [dictionaryName(dictionary)] : []),
    ...(options.length > 0 ? [`{ ${options.join(', ')} }`] : []),
  ]
  const text = `${kind}(${values.join(', ')})`
  return isOptional(field) ? `optional(${text})` : text
}

const isOptional = (field: FieldRow): boolean => field.isRequired !== 1 && field.isState !== 1

const shownFields = ({ fields }: Shape) => fields.filter(field => !isBase(field))

/** The dictionaries that fields of a model name. */
const namedBy = (shape: Shape): NamedDictionary[] => [
  ...new Set(shownFields(shape).flatMap(field => shape.dictionaries.get(field.dictCode ?? '') ?? [])),
]

/** Fields that are unique together, as rules. */
function uniquesOf(fields: readonly FieldRow[]): string[] {
  const groups = new Set(fields.flatMap(({ uniqueGroup }) => uniqueGroup || []))
  return [...groups].map(group => `[${names(fields.filter(one => one.uniqueGroup === group))}]`)
}

function schemaText(shape: Shape): string {
  const { model, dictionaries } = shape
  const fields = shownFields(shape)
  const words = ['entity', 'type Row', ...fields.map(kindOf), ...(fields.some(isOptional) ? ['optional'] : [])]
  const named = namedBy(shape)
  const own = named.filter(one => one.exported).map(dictionaryName)
  const made = named.filter(one => !one.exported)
  const imports = [
    `import { ${[...new Set(words)].sort().join(', ')} } from '#engine'`,
    ...(own.length > 0 ? [`import { ${own.sort().join(', ')} } from '../dictionaries.ts'`] : []),
    ...made.map(one => `import { ${dictionaryName(one)} } from './${dictionaryFile(one)}'`),
    ...(made.length > 0 ? [''] : []),
    ...made.map(one => `export * from './${dictionaryFile(one)}'`),
  ]
  const uniques = uniquesOf(fields)
  const options = uniques.length > 0 ? `, { uniques: [${uniques.join(', ')}] }` : ''
  return `${imports.join('\n')}

export const ${model.modelClass} = entity(${quote(slugOf(model))}, ${quote(model.modelName)}, {
${indented(
  fields.map(field => `${field.propertyName}: ${fieldText(field, dictionaries)},`),
  2,
)}
}${options})
export type ${model.modelClass} = Row<typeof ${model.modelClass}>

declare module '#engine' {
  interface Entities {
    ${keyOf(slugOf(model))}: typeof ${model.modelClass}
  }
}
`
}

function dictionaryText(dictionary: NamedDictionary): string {
  const { code, title, entries, type, biz } = dictionary
  const maker = biz ? 'bizDictionary' : type === 'integer' ? 'dictionary' : 'wordDictionary'
  const lines = entries.map(([key, word]) => {
    if (biz) return `[${quote(key)}, ${quote(word)}],`
    return type === 'integer'
      ? `${keyNameOf(dictionary, key)}: [${key}, ${quote(word)}],`
      : `${quote(key)}: ${quote(word)},`
  })
  const [open, close] = biz ? ['[', ']'] : ['{', '}']
  return `import { ${maker} } from '#engine'

export const ${dictionaryName(dictionary)} = ${maker}(${quote(code)}, ${quote(title)}, ${open}
${indented(lines, 2)}
${close})
`
}

/** A name as the key of an object; in quotes where it is no identifier. */
const keyOf = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : quote(name))

const names = (fields: readonly FieldRow[]): string => fields.map(one => quote(one.propertyName)).join(', ')
const variable = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

/** The dictionaries of the states of a model: their keys are named by its transitions. */
const stateDictionaries = (shape: Shape): NamedDictionary[] => [
  ...new Set(
    shape.fields
      .filter(one => one.isState === 1)
      .flatMap(one => shape.dictionaries.get(one.dictCode ?? '') ?? [])
      .filter(one => one.type === 'integer'),
  ),
]

/** Imports them; one that is called like the resource gets another name. */
function stateImport(dictionary: NamedDictionary, resource: string, folder: string): string {
  const name = dictionaryName(dictionary)
  const file = dictionary.exported ? 'dictionaries.ts' : `${folder}/${dictionaryFile(dictionary)}`
  return `import { ${name === resource ? `${name} as ${name}Words` : name} } from '../../schemas/${file}'\n`
}

/** The transitions of a state: one for each of its keys, from every other one. */
function stateTransitions(field: FieldRow, dictionaries: Dictionaries, resource: string): string[] {
  const dictionary = dictionaries.get(field.dictCode ?? '')
  if (!dictionary) return []
  const own = dictionaryName(dictionary)
  const called = own === resource ? `${own}Words` : own
  const { propertyName } = field
  return dictionary.entries.map(([key, word]) => {
    const name = camel(`${propertyName}_to_${key.replace(/\W/g, '_')}`)
    const others = dictionary.entries
      .filter(([other]) => other !== key)
      .map(([other]) => keyText(dictionary, other, called))
    const rows = `when: { ${propertyName}: [${others.join(', ')}] }, set: { ${propertyName}: ${keyText(dictionary, key, called)} }`
    return `${name}: { label: ${quote(`改为${word}`)}, on: 'rows', call: 'POST ${name}?ids', ${rows} },`
  })
}

function resourceText(module: Module, shape: Shape, folder: string): string {
  const { settings, child } = module
  const { model } = shape
  const name = variable(model.modelClass)
  const fields = shownFields(shape)
  // The time of creation is a column of every table, and searched where the model says so.
  const searched = shape.fields.filter(one => one.isQuery === 1 && (!isBase(one) || one.propertyName === 'createTime'))
  const form = fields
    .filter(one => one.isForm === 1 && one.isState !== 1)
    .map(one => (one.isRow === 1 ? `{ field: ${quote(one.propertyName)}, span: 24 }` : quote(one.propertyName)))
  const lines = [
    `path: ${quote(addressOf(settings, model))},`,
    `columns: [${names(fields.filter(one => one.isList === 1))}],`,
    `search: [${names(searched)}],`,
  ]
  const ways = searched.flatMap(one => {
    const way = wayOf(one)
    return way ? [`${one.propertyName}: ${quote(way)}`] : []
  })
  if (ways.length > 0) lines.push(`searchBy: { ${ways.join(', ')} },`)
  lines.push(`form: [${form.join(', ')}],`)
  if (settings.templateType === 'tree') lines.push(`tree: { parent: ${quote(settings.treePid ?? '')} },`)
  if (child && shape === module) {
    const [label, resource, by] = [child.model.modelName, slugOf(child.model), settings.subFkId ?? '']
    lines.push(`children: { ${keyOf(resource)}: { label: ${quote(label)}, by: ${quote(by)} } },`)
  }
  const transitions = fields
    .filter(one => one.isState === 1)
    .flatMap(one => stateTransitions(one, shape.dictionaries, name))
  if (transitions.length > 0) lines.push('transitions: {', ...transitions.map(one => `  ${one}`), '},')
  const imports = stateDictionaries(shape).map(one => stateImport(one, name, folder))
  return `import { resource } from '#engine'
${imports.join('')}import { ${model.modelClass} } from '../../schemas/${folder}/${slugOf(model)}.ts'

export const ${name} = resource(${model.modelClass}, {
${indented(lines, 2)}
})
`
}

/** Folders of this product by the service whose calls their resources answer, where the two have different names. */
const folders: Readonly<Record<string, string>> = {
  develop: 'development',
  exam: 'exams',
  flow: 'workflow',
  job: 'jobs',
  log: 'audit',
  notice: 'notices',
  pay: 'payment',
  result: 'results',
  send: 'messages',
  ticket: 'tickets',
}

/** Definitions for this product: what is stored and what is offered; the rest follows from them. */
export function juxianFiles(module: Module): GeneratedFile[] {
  const service = module.settings.serviceName.replace(/^blade-/, '').replace(/[^\w-]/g, '') || 'module'
  const folder = folders[service] ?? service
  const shapes: Shape[] = module.child ? [module, module.child] : [module]
  return shapes.flatMap(shape => [
    { path: `schemas/${folder}/${slugOf(shape.model)}.ts`, text: schemaText(shape) },
    { path: `resources/${folder}/${slugOf(shape.model)}.ts`, text: resourceText(module, shape, folder) },
    ...namedBy(shape)
      .filter(one => !one.exported)
      .map(one => ({ path: `schemas/${folder}/${dictionaryFile(one)}`, text: dictionaryText(one) })),
  ])
}
