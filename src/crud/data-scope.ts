import { sql } from 'kysely'
import { type baseFields, type Condition, type Field, fieldOf, type Resource, type Test } from '#engine'
import { DataScopeType } from '#schemas/dictionaries'
import type { DataRule, Person } from '../platform/http/server/access.ts'
import { all, type Fragment, ident, join } from './fragment.ts'
import { findResource } from './lookup.ts'

/** Values of a custom rule that stand for the person who asks. */
const words = ['$caller', '$depts'] as const

/** Which column a rule looks at when it names none. */
const presets: Readonly<Record<number, keyof typeof baseFields>> = {
  [DataScopeType.own]: 'createUser',
  [DataScopeType.department]: 'createDept',
  [DataScopeType.departmentAndBelow]: 'createDept',
}

/** A rule as its row says it. */
export const ruleOf = (row: Readonly<Record<string, unknown>>): DataRule => ({
  resource: String(row.scopeClass ?? ''),
  type: Number(row.scopeType),
  column: row.scopeColumn ? String(row.scopeColumn) : null,
  value: (row.scopeValue ?? null) as Condition | null,
})

/** Kinds that can be compared for equality with a bound value. */
const comparable: readonly Field['kind'][] = ['text', 'integer', 'flag', 'dict', 'state', 'ref', 'refs', 'region']

/** What is wrong with a rule, by field; null when nothing is. */
export function ruleProblem(rule: DataRule): { field: string; msg: string } | null {
  const resource = findResource(rule.resource)
  if (!resource) return { field: 'scopeClass', msg: '权限标识不存在' }
  if (rule.type === DataScopeType.custom) return valueProblem(resource, rule.value)
  if (!rule.column) return null
  const field = fieldOf(resource.entity, rule.column)
  const target = rule.type === DataScopeType.own ? 'user' : 'dept'
  const fits = (field?.kind === 'ref' || field?.kind === 'refs') && field.ref === target
  return fits || rule.type === DataScopeType.all
    ? null
    : { field: 'scopeColumn', msg: '权限列不是该数据的用户或机构列' }
}

const isScalar = (value: unknown): boolean => ['string', 'number'].includes(typeof value) || value === null

function isTest(test: unknown): boolean {
  if (isScalar(test)) return true
  if (Array.isArray(test)) return test.length > 0 && test.length <= 500 && test.every(isScalar)
  if (typeof test !== 'object' || test === null) return false
  return Object.keys(test).join() === 'not' && isTest((test as { not: unknown }).not)
}

function valueProblem(resource: Resource, value: unknown): { field: string; msg: string } | null {
  const wrong = (msg: string) => ({ field: 'scopeValue', msg })
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0)
    return wrong('请输入规则值，如 {"status":[1,2]}')
  for (const [name, test] of Object.entries(value)) {
    const field = fieldOf(resource.entity, name)
    if (!field || field.hidden || !comparable.includes(field.kind))
      return wrong(`规则值中的 ${name.slice(0, 40)} 不是可用的列`)
    if (!isTest(test)) return wrong(`规则值中 ${name} 的取值不正确`)
  }
  return null
}

/** A column as text, so that every kind compares with what JSON can hold. */
const textOf = (alias: string, name: string) => sql.raw(`${alias}.${ident(name)}::text`)

function testOf(column: Fragment, list: boolean, test: Test | undefined, person: Person): Fragment {
  if (test !== null && typeof test === 'object' && 'not' in test)
    return sql`NOT (${testOf(column, list, test.not, person)})`
  const values = test === null || test === undefined ? [null] : typeof test === 'object' ? [...test] : [test]
  const known = values.filter(value => value !== null).flatMap(value => meant(String(value), person))
  const has = list ? sql`string_to_array(${column}, ',') && ${known}::text[]` : sql`${column} = ANY(${known}::text[])`
  const parts = [sql`coalesce(${has}, false)`, ...(values.includes(null) ? [sql`${column} IS NULL`] : [])]
  return sql`(${join(parts, ' OR ')})`
}

const meant = (value: string, { userId, deptIds }: Person): readonly string[] =>
  value === words[0] ? [userId] : value === words[1] ? deptIds : [value]

/** The condition of a rule on rows of an alias. Departments below are looked up, so it holds for this moment only. */
function ruleSql(rule: DataRule, resource: Resource, person: Person, alias: string, now: Date): Fragment {
  const isList = (name: string) => fieldOf(resource.entity, name)?.kind === 'refs'
  const test = (name: string, values: Test) => testOf(textOf(alias, name), isList(name), values, person)
  if (rule.type === DataScopeType.all) return sql.raw('true')
  if (rule.type === DataScopeType.custom)
    return all(Object.entries(rule.value ?? { id: [] }).map(([name, value]) => test(name, value as Test)))
  const column = rule.column ?? presets[rule.type] ?? 'createUser'
  if (rule.type === DataScopeType.own) return test(column, '$caller')
  if (rule.type === DataScopeType.department) return test(column, '$depts')
  const below = sql`(SELECT array_agg(scope_dept.id::text) FROM dept scope_dept
    WHERE scope_dept."tenantId" = ${person.tenantId} AND scope_dept."createTime" <= ${now}
    AND (scope_dept.id::text = ANY(${person.deptIds}::text[]) OR string_to_array(scope_dept.ancestors, ',') && ${person.deptIds}::text[]))::text[]`
  const own = textOf(alias, column)
  return isList(column)
    ? sql`coalesce(string_to_array(${own}, ',') && ${below}, false)`
    : sql`coalesce(${own} = ANY(${below}), false)`
}

/**
 * What the data scopes of a person's roles leave of a resource: rows that meet at least one of its rules. Nothing is limited
 * where no role has a rule for the resource.
 * @param alias name of the table in the statement
 */
export function dataScope(person: Person, resource: Resource, alias: string, now: Date): Fragment[] {
  const rules = (person.dataRules ?? []).filter(rule => rule.resource === resource.name)
  if (rules.length === 0) return []
  return [
    sql`(${join(
      rules.map(rule => ruleSql(rule, resource, person, alias, now)),
      ' OR ',
    )})`,
  ]
}
