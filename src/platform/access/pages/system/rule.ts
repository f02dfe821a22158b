import { resources } from 'virtual:resources'
import { type AnswerOf, baseFields, type CallOf, type Field, type Resource } from '#engine'
import type { dataScope } from '#resources/system/data-scope'
import { DataScopeType } from '#schemas/dictionaries/administration'

/** A data scope as it is stored. */
export type StoredRule = AnswerOf<CallOf<typeof dataScope, 'detail'>>

/** A data scope as the dialog holds it. */
export interface Rule {
  id?: string
  menuId?: string
  scopeName: string
  resourceCode: string
  /** Name of a resource. */
  scopeClass?: string
  scopeType: NonNullable<StoredRule['scopeType']>
  scopeColumn?: string
  remark: string
  conditions: readonly RuleCondition[]
}

/** One line of a custom rule: a field is, or is not, one of some values. */
export interface RuleCondition {
  readonly key: number
  readonly field?: string
  readonly isNot: boolean
  /** Values separated by commas. */
  readonly text: string
}

/** The key of a rule that is made of conditions. */
export const custom = DataScopeType.custom

const kinds: readonly Field['kind'][] = ['text', 'integer', 'flag', 'dict', 'state', 'ref', 'refs', 'region']

/** What rules can be about. */
export const subjects = resources.filter(one => !one.entity.properties.clientSecret)

/** The resource of a rule. */
const subjectOf = (rule: Rule): Resource | undefined => subjects.find(one => one.name === rule.scopeClass)

const fieldsOf = (resource: Resource | undefined): [string, Field][] =>
  resource ? Object.entries({ ...resource.entity.properties, ...baseFields } as Record<string, Field>) : []

/** Fields that hold the user (type 2) or the department (types 3 and 4) that a rule looks at. */
export function columnsFor(rule: Rule): [string, Field][] {
  const target = rule.scopeType === DataScopeType.own ? 'user' : 'dept'
  return fieldsOf(subjectOf(rule)).filter(([, field]) => field.ref === target)
}

/** Fields that a condition can look at. */
export const conditionFields = (rule: Rule): [string, Field][] =>
  fieldsOf(subjectOf(rule)).filter(([, field]) => kinds.includes(field.kind) && !field.hidden)

const valuesOf = (text: string): string[] =>
  text
    .split(/[,，]/)
    .map(one => one.trim())
    .filter(Boolean)

/** The conditions as the server keeps them. */
const storedValue = (conditions: readonly RuleCondition[]) =>
  Object.fromEntries(
    conditions.flatMap(({ field, isNot, text }) => {
      const values = valuesOf(text)
      return field && values.length > 0 ? [[field, isNot ? { not: values } : values]] : []
    }),
  )

/** A rule as the server takes it. */
export function bodyOf({ conditions, menuId = '', scopeClass = '', ...rule }: Rule) {
  const isCustom = rule.scopeType === custom
  const named = rule.scopeType > DataScopeType.all && !isCustom ? (rule.scopeColumn ?? '') : ''
  return {
    ...rule,
    menuId,
    scopeClass,
    scopeField: '*',
    scopeColumn: named,
    scopeValue: isCustom ? storedValue(conditions) : undefined,
  }
}

function conditionOf([field, test]: [string, unknown], key: number): RuleCondition {
  const isNot = typeof test === 'object' && test !== null && 'not' in test
  return { key, field, isNot, text: [isNot ? test.not : test].flat().join(',') }
}

/** A stored rule as the dialog holds it; an empty one without a row. */
export function ruleFrom(row: StoredRule | null): Rule {
  const value = typeof row?.scopeValue === 'object' && row.scopeValue !== null ? row.scopeValue : {}
  const conditions = Object.entries(value).map(conditionOf)
  return {
    ...(row && { id: row.id }),
    menuId: row?.menuId || undefined,
    scopeName: row?.scopeName ?? '',
    resourceCode: row?.resourceCode ?? '',
    scopeClass: row?.scopeClass || undefined,
    scopeColumn: row?.scopeColumn || undefined,
    scopeType: row?.scopeType ?? DataScopeType.own,
    remark: row?.remark ?? '',
    conditions: conditions.length > 0 ? conditions : [emptyCondition(0)],
  }
}

/** A condition that says nothing yet. */
export const emptyCondition = (key: number): RuleCondition => ({ key, isNot: false, text: '' })

/** The first thing missing in a rule, in Chinese; undefined when it can be sent. */
export function gapOf(rule: Rule): string | undefined {
  if (!rule.menuId) return '请选择菜单'
  if (!rule.scopeName) return '请输入权限名称'
  if (!rule.resourceCode) return '请输入资源编号'
  if (!rule.scopeClass) return '请选择数据'
  if (rule.scopeType === custom && Object.keys(storedValue(rule.conditions)).length === 0) return '请至少填写一个条件'
  return undefined
}
