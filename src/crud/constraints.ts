import { type Condition, type Entity, type Field, matches, tableOf } from '#engine'
import {
  firstRules,
  quoteValue as literal,
  quoteName as quote,
  type WantedList,
  type WantedRule,
} from '../platform/database/wanted.ts'
import { literalTest } from './condition.ts'
import { indexName } from './search-index.ts'

/** What a field points at by id: the entity of a reference, or an upload. */
const targetOf = ({ kind, ref }: Field): string | undefined =>
  kind === 'ref' ? ref : kind === 'image' || kind === 'file' ? 'attach' : undefined

/** Name and statement of the index that foreign keys of other tables of the same tenant point at. */
export function tenantKeyOf({ name }: Pick<Entity, 'name'>): readonly [string, string] {
  const table = tableOf(name)
  const index = indexName(['u', table, 'tenantId', 'id'])
  return [index, `CREATE UNIQUE INDEX ${quote(index)} ON ${quote(table)} ("tenantId", id)`]
}

/** Tables whose ids stand, comma-joined, in columns of an entity's table. */
export function listsOf(entity: Entity, entities: readonly Entity[]): Readonly<Record<string, WantedList>> {
  const lists = Object.entries(entity.properties).flatMap(([column, { kind, ref }]) => {
    const target = kind === 'refs' ? entities.find(({ name }) => name === ref) : undefined
    return target
      ? [[column, { table: tableOf(target.name), isWithinTenant: isWithinTenant(entity, target) }] as const]
      : []
  })
  return Object.fromEntries(lists)
}

/**
 * Whoever acts for the platform belongs to another tenant than the rows decided on, so accounts are referred to by id
 * alone, and so is what belongs to the whole installation.
 */
const isWithinTenant = (entity: Entity, target: Entity): boolean =>
  entity.tenant && target.tenant && target.name !== 'user'

function keyOf(column: string, entity: Entity, target: Entity): WantedRule {
  const table = quote(tableOf(target.name))
  const within = isWithinTenant(entity, target)
  const [own, other] = within ? [`"tenantId", ${quote(column)}`, '"tenantId", id'] : [quote(column), 'id']
  const same = within ? ' AND p."tenantId" = t."tenantId"' : ''
  return {
    kind: 'key',
    column,
    sql: `FOREIGN KEY (${own}) REFERENCES ${table} (${other})`,
    broken: `t.{${column}} IS NOT NULL AND NOT EXISTS (SELECT FROM ${table} p WHERE p.id = t.{${column}}${same})`,
    says: `refer to no row of ${tableOf(target.name)}${within ? ' of their tenant' : ''}`,
    ...(within && { index: tenantKeyOf(target)[0] }),
    since: firstRules,
  }
}

/** What the values of a field are limited to, as SQL and in words. */
function limitsOf(field: Field, column: string): { sql: string; says: string } | undefined {
  if (field.enum && field.kind !== 'dicts')
    return { sql: `${column} IN (${field.enum.map(literal).join(', ')})`, says: 'hold none of the choices' }
  const { minimum, maximum } = field
  const parts = [
    ...(minimum === undefined ? [] : [`${column} >= ${minimum}`]),
    ...(maximum === undefined ? [] : [`${column} <= ${maximum}`]),
  ]
  if (parts.length === 0) return undefined
  return { sql: parts.join(' AND '), says: `are not within ${minimum ?? '…'} to ${maximum ?? '…'}` }
}

/** That a row meets a condition, as `matches` decides it. It may be unknown of a row that does not meet it. */
function metSql(condition: Condition, columnOf: (name: string) => string): string {
  const tests = Object.entries(condition).map(([name, test]) => {
    const sql = literalTest(columnOf(name), test)
    const isNullMet = matches({}, { [name]: test })
    return isNullMet ? `coalesce(${sql}, true)` : sql
  })
  return tests.join(' AND ')
}

/** The rule that a field has a value where its condition holds. Elsewhere rows of before may have one, too. */
function askedRule(column: string, condition: Condition): WantedRule {
  const told = Object.entries(condition).map(([name, test]) => literalTest(name, test))
  return {
    kind: 'asked',
    column,
    others: Object.keys(condition),
    sql: `CHECK (NOT (${metSql(condition, quote)}) OR ${quote(column)} IS NOT NULL)`,
    broken: `${metSql(condition, name => `t.{${name}}`)} AND t.{${column}} IS NULL`,
    says: `have no value where it is required: ${told.join(' AND ')}`,
    since: '416-asked-values',
  }
}

/**
 * The CHECKs and foreign keys of an entity's table, by name. Names begin with `c_` and `f_`, and end in a mark of what the
 * rule says. Tables cut by month have no keys: their parts end as a whole.
 * @param entities all of them, to which the fields refer
 */
export function rulesOf(entity: Entity, entities: readonly Entity[]): Readonly<Record<string, WantedRule>> {
  const table = tableOf(entity.name)
  const found: Record<string, WantedRule> = {}
  for (const [column, field] of Object.entries(entity.properties)) {
    if (field.enforced === false) continue
    const limits = limitsOf(field, quote(column))
    if (limits)
      found[indexName(['c', table, column], limits.sql)] = {
        kind: 'check',
        column,
        sql: `CHECK (${limits.sql})`,
        broken: `NOT (${limits.sql.replaceAll(quote(column), `t.{${column}}`)})`,
        says: limits.says,
        since: firstRules,
      }
    const target = entities.find(({ name }) => name === targetOf(field))
    if (!target || entity.partition || target.partition) continue
    const key = keyOf(column, entity, target)
    found[indexName(['f', table, column], key.sql)] = key
  }
  for (const [column, condition] of Object.entries(entity.requiredWhen)) {
    const rule = askedRule(column, condition)
    found[indexName(['c', table, column], rule.sql)] = rule
  }
  return found
}
