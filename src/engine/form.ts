import type { Condition } from './condition.ts'
import type { Entity } from './entity.ts'
import { type Field, valueRules } from './field.ts'
import type { Resource } from './resource.ts'

/** A JSON Schema of an object, as validators and forms take it. */
export interface ObjectSchema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, unknown>>
  readonly required: readonly string[]
}

/**
 * What an input may hold. An optional field may be left empty: `""` and `null` mean "no value" on this wire, so they
 * pass every other rule.
 */
function inputSchema(field: Field): object {
  const { optional, default: _, kind, ...rules } = valueRules(field)
  if (!optional)
    return { kind, ...rules, ...(rules.type === 'string' ? { minLength: Math.max(1, rules.minLength ?? 0) } : {}) }
  return { kind, title: rules.title, anyOf: [{ enum: ['', null] }, rules] }
}

/** Names of the fields a person may write: not filled by the server, no state. */
export const writableFields = (entity: Entity): readonly string[] =>
  Object.keys(entity.properties).filter(name => !entity.properties[name]?.filled)

/**
 * Schema of the body of a submit. A new row must have every required field; a change carries what it changes, plus
 * `version` where the entity keeps one.
 */
export function submitSchema(entity: Entity, mode: 'add' | 'edit'): ObjectSchema {
  const names = writableFields(entity)
  return {
    type: 'object',
    properties: Object.fromEntries(names.map(name => [name, inputSchema(entity.properties[name] as Field)])),
    required:
      mode === 'add'
        ? names.filter(name => entity.required.includes(name) && entity.properties[name]?.default === undefined)
        : [],
  }
}

/** Schema of the form a person sees: the inputs of the resource only, an optional one without the empty alternatives. */
export function formSchema(resource: Resource): ObjectSchema {
  const { entity } = resource
  const names = resource.form.flatMap(group => group.inputs.map(input => input.field))
  const properties = names.map(name => {
    const { optional: _, help, default: preset, ...rest } = valueRules(entity.properties[name] as Field)
    // The moment of the insert is known to the server alone.
    const rules = preset === undefined || preset === '$now' ? rest : { ...rest, default: preset }
    return [name, help ? { ...rules, description: help } : rules] as const
  })
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: names.filter(name => entity.required.includes(name) && entity.properties[name]?.default !== '$now'),
  }
}

/**
 * A condition on a row as JSON Schema.
 * @param hasLists fields may hold a list, which is what any of its members is
 */
export function conditionSchema(condition: Condition, hasLists = false): object {
  const properties = Object.entries(condition).map(([name, test]) => {
    const isNot = typeof test === 'object' && test !== null && 'not' in test
    const keys = { enum: [isNot ? test.not : test].flat() }
    const any = hasLists ? { anyOf: [keys, { type: 'array', contains: keys }] } : keys
    return [name, isNot ? { not: any } : any] as const
  })
  return { properties: Object.fromEntries(properties), required: Object.keys(condition) }
}

/** What a description says of fields that are required on a condition: an `allOf` of `if` and `then`, or nothing. */
export function requiredSchema({ requiredWhen }: Entity): { readonly allOf?: readonly object[] } {
  const allOf = Object.entries(requiredWhen).map(([name, when]) => ({
    if: conditionSchema(when),
    then: { required: [name] },
  }))
  return allOf.length > 0 ? { allOf } : {}
}

const chosenKinds = ['dict', 'dicts', 'state', 'ref', 'refs', 'region', 'date', 'dateTime', 'flag', 'image', 'file']

/** The message of a missing value: `请输入…` for what is typed, `请选择…` for what is chosen. */
export const missingMessage = (field: Pick<Field, 'kind' | 'title'>): string =>
  `${chosenKinds.includes(field.kind) ? '请选择' : '请输入'}${field.title}`
