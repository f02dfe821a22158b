import type { FastifyInstance } from 'fastify'
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import { fieldOf, type NamedScope, type Resource, type Scope, type ThroughScope, tableOf, waysOf } from '#engine'
import { wideRoles } from '#resources/scopes'
import type { Tables } from '#schemas'
import { UserType } from '#schemas/dictionaries'
import type { Database } from '../platform/database/database.ts'
import { type AnyHandle, raw } from '../platform/database/live.ts'
import type { Person } from '../platform/http/server/access.ts'
import { conditionSql } from './condition.ts'
import { dataScope } from './data-scope.ts'
import { all, atMoment, type Fragment, ident, join } from './fragment.ts'
import { resourceOf, resourceOfTable } from './lookup.ts'
import { ownRows, type Purpose, type ScopeContext, type ScopeRule, type Scopes, type ScopesNow } from './scope-rule.ts'
import { viewsOf } from './view.ts'

/** Whether no scope of a definition limits the rows that a person meets. */
export const seesAllRows = (person: Person): boolean => person.roles.some(role => wideRoles.includes(role))

/** Whether a person may meet some rows of a resource in the own tenant but not all. */
export const isLimited = (person: Person, resource: Resource): boolean =>
  !seesAllRows(person) ||
  (person.viewed ?? []).some(one => one.resource === resource.name) ||
  (person.dataRules ?? []).some(rule => rule.resource === resource.name)

/** Whether a person meets all living rows of a resource in the own tenant: {@link scopeOf} says nothing but that. */
export const meetsWholeTable = (person: Person, resource: Resource): boolean =>
  person.userType !== UserType.candidate && !isLimited(person, resource)

/** Rows that belong to a row of another resource which is met. */
function throughSql(scope: ThroughScope, resource: Resource, context: ScopeContext): Fragment {
  const { through: field, to, key = 'id', evenRemoved, unknown } = scope
  const { person, now, alias } = context
  const depth = context.depth + 1
  const owner = `scope_${depth}`
  const other = resourceOf(to ?? fieldOf(resource.entity, field)?.ref ?? '')
  const table = sql.raw(ident(tableOf(other.entity.name)))
  const own = sql.raw(`${alias}.${ident(field)}`)
  const found = sql.raw(`${owner}.${ident(key)}`)
  const met = partsOf(person, other, { ...context, alias: owner, depth })
  const live = evenRemoved ? met : [sql.raw(`${owner}."isDeleted" = 0`), ...met]
  const tenant = other.entity.tenant ? [sql`${sql.raw(`${owner}."tenantId"`)} = ${person.tenantId}`] : []
  const hit = sql`${own} IN (SELECT ${found} FROM ${table} ${sql.raw(owner)}
    WHERE ${all([...tenant, ...live, atMoment(now)])})`
  if (!unknown) return hit
  const none = sql`NOT EXISTS (SELECT 1 FROM ${table} ${sql.raw(owner)} WHERE ${all([...tenant, sql`${found} = ${own}`])})`
  return sql`(${hit} OR (${none} AND ${scopeSql(unknown, resource, context)}))`
}

/** What a scope leaves to somebody whom it limits. */
function scopeSql(scope: Scope, resource: Resource, context: ScopeContext): Fragment {
  if ('by' in scope) return ruleOf(scope, context.app)(scope, context)
  if ('through' in scope) return throughSql(scope, resource, context)
  if ('wide' in scope) return sql.raw(`${!scope.roles || scope.roles.some(one => context.person.roles.includes(one))}`)
  if ('any' in scope)
    return sql`(${join(
      scope.any.map(one => scopeSql(one, resource, context)),
      ' OR ',
    )})`
  const kinds = scope.cases.map(
    one => sql`(${conditionSql(one.when, context.alias)} AND ${scopeSql(one.scope, resource, context)})`,
  )
  return sql`(${join(kinds, ' OR ')})`
}

function ruleOf({ by }: NamedScope, { extensions }: Scopes): ScopeRule {
  const rule = extensions.scopes[by]
  if (!rule) throw new Error(`No rule is called «${by}».`)
  return rule
}

/** Scopes by name that definitions use and no module provides, one sentence each. */
export const unruled = (list: readonly Resource[], rules: Readonly<Record<string, ScopeRule>>): string[] =>
  list.flatMap(({ name, scope }) =>
    waysOf(scope).flatMap(way =>
      'by' in way && !rules[way.by]
        ? [`resources: ${name}: scope names the rule «${way.by}», which the server does not have`]
        : [],
    ),
  )

/** The rows of the views by whose permission somebody came in. */
function viewParts({ viewed = [] }: Person, resource: Resource, alias: string): Fragment[] {
  const names = viewed.filter(one => one.resource === resource.name).map(one => one.view)
  if (names.length === 0) return []
  const shown = viewsOf(resource).filter(one => names.includes(one.view.name))
  return [
    sql`(${join(
      shown.map(one => conditionSql(one.view.where, alias)),
      ' OR ',
    )})`,
  ]
}

/** What limits staff who do not see all rows: the data scopes of their roles, and what the definition says. */
function partsOf(person: Person, resource: Resource, context: ScopeContext): Fragment[] {
  const viewed = viewParts(person, resource, context.alias)
  if (seesAllRows(person)) return viewed
  const limits = [...viewed, ...dataScope(person, resource, context.alias, context.now)]
  return resource.scope ? [...limits, scopeSql(resource.scope, resource, context)] : limits
}

/**
 * Which rows of a resource a person may meet at all: tenant, not deleted, own ones for candidates, for
 * staff those of the resource's scope. Every read and write of the generated half stands on it, and {@link scoped} brings it to queries by hand.
 * @param alias name of the table in the statement; `t` in the generated half
 * @param purpose `change` for who is about to write: some duties only look
 */
export function scopeOf(
  app: Scopes,
  person: Person,
  resource: Resource,
  now: Date,
  alias = 't',
  purpose: Purpose = 'meet',
): Fragment {
  const parts = [resource.entity.tenant ? ownRows(person, alias) : sql.raw(`${alias}."isDeleted" = 0`)]
  if (person.userType === UserType.candidate) {
    const { owner } = resource
    if (!owner) parts.push(sql.raw('false'))
    else
      parts.push(sql`${sql.raw(`${alias}.${ident(owner.field)}`)} = ${person.userId}`, conditionSql(owner.where, alias))
  } else parts.push(...partsOf(person, resource, { app, person, now, alias, purpose, depth: 0 }))
  return parts.reduce((one, other) => sql`${one} AND ${other}`)
}

/**
 * What limits staff among the rows of a resource that belong to a row they meet, of rows that have been removed, too: for what is told
 * of rows, which are not shown themselves.
 */
export const limitsOf = (app: Scopes, person: Person, resource: Resource, now: Date, alias = 't'): Fragment =>
  all(partsOf(person, resource, { app, person, now, alias, purpose: 'meet', depth: 0 }))

type TableName = keyof Tables & string
type Around = ScopesNow & Pick<FastifyInstance, 'db'>

/** The scope of a table as a condition for Kysely: `.where(inScope(app, person, 'user'))`. */
export function inScope(
  app: ScopesNow,
  person: Person,
  table: TableName,
  alias: string = table,
  purpose: Purpose = 'meet',
): RawBuilder<boolean> {
  const resource = resourceOfTable(table)
  if (!resource) throw new Error(`No resource offers the table «${table}».`)
  return sql<boolean>`(${scopeOf(app, person, resource, app.now(), ident(alias), purpose)})`
}

/**
 * A query on a table that meets only the rows a person may meet. No row found means that it is not there or that the
 * person may not meet it: the answer is "not found" in both cases.
 * @param on a transaction, whatever its handle is limited to; the pool by default
 * @param purpose `change` where the rows found are about to be written
 */
export function scoped<T extends TableName>(
  app: Around,
  person: Person,
  table: T,
  on: AnyHandle = app,
  purpose: Purpose = 'meet',
): SelectQueryBuilder<Database, T, object> {
  const query = raw(on).selectFrom(table as TableName) as unknown as SelectQueryBuilder<Database, T, object>
  return query.where(inScope(app, person, table, table, purpose))
}

/** As {@link scoped}, for rows that are about to be changed: observers and those with another duty find none. */
export const changeable = <T extends TableName>(app: Around, person: Person, table: T, on: AnyHandle = app) =>
  scoped(app, person, table, on, 'change')

/**
 * Whether somebody meets, or changes, the rows of a table that belong to one row of another: for calls about all of them. To meet
 * that row is not enough there, a duty that counts for those rows is.
 * @param column the column that names the row they belong to, as `table.column`
 */
export function hasDuty(
  app: ScopesNow,
  person: Person,
  table: TableName,
  column: `${string}.${string}`,
  purpose: Purpose,
): RawBuilder<boolean> {
  const rule = waysOf(resourceOfTable(table)?.scope ?? null).find(way => 'by' in way)
  if (!rule) throw new Error(`The rows of «${table}» are not met by a duty.`)
  if (seesAllRows(person)) return sql.raw('true').$castTo<boolean>()
  const [alias = '', field = ''] = column.split('.')
  const { limited: _, ...options } = rule.options
  const context = { app, person, now: app.now(), alias: ident(alias), purpose, depth: 0 }
  return sql<boolean>`(${ruleOf(rule, app)({ ...rule, field, options }, context)})`
}
