import type { Dictionary } from '#engine'
import type { ModelPrototype } from '#schemas/develop/model-prototype'
import * as known from '#schemas/dictionaries'
import { addressOf, type GeneratedFile, indented, labelOf, type Module, quote, type Shape, slugOf } from './template.ts'

/** Columns that every table of ours has anyway. */
const own = /^(id|tenantId|create(User|Dept|Time)|update(User|Time)|status|isDeleted)$/

/** Exported names of our dictionaries by their codes. */
const dictionaryNames = new Map(
  Object.entries<unknown>(known).flatMap(([name, one]) =>
    typeof one === 'object' && one !== null && 'code' in one ? [[(one as Dictionary).code, name] as const] : [],
  ),
)

/** The constructor of a field, and what has to be imported for it. */
function fieldText(field: ModelPrototype): { text: string; maker: string; dictionary?: string } {
  const label = quote(labelOf(field))
  const dictionary = dictionaryNames.get(field.dictCode ?? '')
  if (dictionary) return { text: `dict(${label}, ${dictionary})`, maker: 'dict', dictionary }
  const maker = makerOf(field)
  return { text: `${maker}(${label})`, maker }
}

function makerOf({ componentType, propertyType }: ModelPrototype): string {
  if (componentType === 'date') return 'date'
  if (componentType === 'datetime') return 'dateTime'
  if (componentType === 'textarea') return 'longText'
  if (componentType === 'upload') return 'file'
  if (propertyType === 'Integer') return 'integer'
  if (propertyType === 'Boolean') return 'flag'
  return ['Long', 'Double', 'BigDecimal'].includes(propertyType) ? 'decimal' : 'text'
}

const shownFields = ({ fields }: Shape) => fields.filter(field => !own.test(field.propertyName))

function schemaText(shape: Shape): string {
  const { model } = shape
  const made = shownFields(shape).map(field => ({ field, ...fieldText(field) }))
  const words = ['entity', 'type Row', ...made.map(one => one.maker)]
  if (made.some(({ field }) => field.isRequired === 0)) words.push('optional')
  const dictionaries = [...new Set(made.flatMap(one => one.dictionary ?? []))].sort()
  const lines = made.map(
    ({ field, text }) => `${field.propertyName}: ${field.isRequired === 1 ? text : `optional(${text})`},`,
  )
  return `import { ${[...new Set(words)].sort().join(', ')} } from '#engine'
${dictionaries.length > 0 ? `import { ${dictionaries.join(', ')} } from '../dictionaries.ts'\n` : ''}
export const ${model.modelClass} = entity(${quote(slugOf(model))}, ${quote(model.modelName)}, {
${indented(lines, 2)}
})
export type ${model.modelClass} = Row<typeof ${model.modelClass}>
`
}

const names = (fields: readonly ModelPrototype[]): string => fields.map(one => quote(one.propertyName)).join(', ')
const variable = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1)

function resourceText(module: Module, shape: Shape, folder: string): string {
  const { settings, child } = module
  const { model } = shape
  const fields = shownFields(shape)
  const form = fields
    .filter(one => one.isForm === 1)
    .map(one => (one.isRow === 1 ? `{ field: ${quote(one.propertyName)}, span: 24 }` : quote(one.propertyName)))
  const lines = [
    `path: ${quote(addressOf(settings, model))},`,
    `columns: [${names(fields.filter(one => one.isList === 1))}],`,
    `search: [${[names(fields.filter(one => one.isQuery === 1)), "'createTime'"].filter(Boolean).join(', ')}],`,
    `form: [${form.join(', ')}],`,
  ]
  if (settings.templateType === 'tree') lines.push(`tree: { parent: ${quote(settings.treePid ?? '')} },`)
  if (child && shape === module) {
    const [label, resource, by] = [child.model.modelName, slugOf(child.model), settings.subFkId ?? '']
    lines.push(`children: [{ label: ${quote(label)}, resource: ${quote(resource)}, by: ${quote(by)} }],`)
  }
  return `import { resource } from '#engine'
import { ${model.modelClass} } from '../../schemas/${folder}/${slugOf(model)}.ts'

export const ${variable(model.modelClass)} = resource(${model.modelClass}, {
${indented(lines, 2)}
})
`
}

/** Definitions for this product: what is stored and what is offered; the rest follows from them. */
export function juxianFiles(module: Module): GeneratedFile[] {
  const folder = module.settings.serviceName.replace(/^blade-/, '').replace(/[^\w-]/g, '') || 'module'
  const shapes: Shape[] = module.child ? [module, module.child] : [module]
  return shapes.flatMap(shape => [
    { path: `schemas/${folder}/${slugOf(shape.model)}.ts`, text: schemaText(shape) },
    { path: `resources/${folder}/${slugOf(shape.model)}.ts`, text: resourceText(module, shape, folder) },
  ])
}
