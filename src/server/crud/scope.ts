import type { FastifyInstance } from 'fastify'
import type { Kysely, RawBuilder, SelectQueryBuilder } from 'kysely'
import { type Resource, tableOf } from '#engine'
import { resources } from '#resources'
import type { Tables } from '#schemas'
import type { Person } from '../access.ts'
import type { Database } from '../plugins/database.ts'
import { holds } from './appointment.ts'
import { dataScope } from './data-scope.ts'
import { expression, type Fragment, ident, q, raw } from './fragment.ts'

const byEntity = new Map(resources.map(one => [one.entity.name, one]))
const byTable = new Map(resources.map(one => [tableOf(one.entity.name), one]))

/** The resource that offers an entity. */
export function resourceOf(entity: string): Resource {
  const found = byEntity.get(entity)
  if (!found) throw new Error(`No resource offers «${entity}».`)
  return found
}

/** Auditors read the logs of every sign-up; their permissions hold nothing else. */
const auditRole = 'auditor'

/** Roles that see every exam of their tenant. */
const wideRoles = ['administrator', 'admin']

/** True for roles that see every exam of their tenant. */
export const seesAllExams = (person: Person): boolean => person.roles.some(role => wideRoles.includes(role))

/** Whether a person may meet some rows of a resource in his tenant but not all. */
export const isLimited = (person: Person, resource: Resource): boolean =>
  !seesAllExams(person) || (person.dataRules ?? []).some(rule => rule.resource === resource.name)

/** Exam roles of `examuser` that are limited to units and positions: first and second reviewers. */
const limitedRoles = '2, 3'
/** Exam roles that see no list of sign-ups: proctors have their rooms' rosters only. */
const rosterRoles = '5'

/** Fields that say which row of another resource a row belongs to: it is met by whoever meets that one. */
const owners: Readonly<Record<string, string>> = { signupId: 'signup', jobInfoId: 'job-info' }

/** Appointments of a person that hold now. */
const appointments = (person: Person, now: Date): Fragment =>
  q`FROM examuser scope_user WHERE scope_user."userId" = ${person.userId} AND scope_user."tenantId" = ${person.tenantId}
    AND ${holds('scope_user', now)}`

/** A comma list that holds a value, or is empty and so means all. */
const listed = (list: string, value: string) =>
  raw(`(coalesce(${list}, '') = '' OR ${value} = ANY(string_to_array(${list}, ',')))`)

function examScope(person: Person, resource: Resource, exam: string, alias: string, now: Date): Fragment {
  const column = raw(`${alias}.${ident(exam)}`)
  const own = appointments(person, now)
  if (resource.name !== 'signup') return q`${column} IN (SELECT scope_user."examId" ${own})`
  const unit = listed('scope_user.units', `coalesce(${alias}."finalUnit", ${alias}.unit)`)
  const code = listed('scope_user.codes', `coalesce(${alias}."finalCode", ${alias}.code)`)
  const limited = q`${raw(`scope_user."examRole" NOT IN (${limitedRoles})`)} OR (${unit} AND ${code})`
  return q`EXISTS (SELECT 1 ${own} AND scope_user."examId" = ${column}
    AND ${raw(`scope_user."examRole" NOT IN (${rosterRoles})`)} AND (${limited}))`
}

/** What limits staff who do not see every exam: the data scopes of their roles, and the exams they are appointed to. */
function staffScope(person: Person, resource: Resource, alias: string, now: Date): Fragment[] {
  if (seesAllExams(person)) return []
  const rules = dataScope(person, resource, alias, now)
  if (resource.exam) return [...rules, examScope(person, resource, resource.exam, alias, now)]
  const field = Object.keys(owners).find(name => resource.entity.properties[name])
  if (!field || person.roles.includes(auditRole)) return rules
  const owner = resourceOf(owners[field] ?? '')
  const table = raw(ident(tableOf(owner.entity.name)))
  const met = scopeOf(person, owner, now, 'scope_owner')
  // It follows from another table, so it holds for this moment only.
  return [
    ...rules,
    q`${raw(`${alias}.${ident(field)}`)} IN (SELECT scope_owner.id FROM ${table} scope_owner
      WHERE ${met} AND ${now}::timestamptz IS NOT NULL)`,
  ]
}

/**
 * Which rows of a resource a person may meet at all: tenant, not deleted, own ones for candidates, appointed exams for
 * staff. Every read and write of the generated half stands on it, and {@link scoped} brings it to queries by hand.
 * @param alias name of the table in the statement; `t` in the generated half
 */
export function scopeOf(person: Person, resource: Resource, now: Date, alias = 't'): Fragment {
  const parts = [raw(`${alias}."isDeleted" = 0`)]
  if (resource.entity.tenant) parts.unshift(q`${raw(`${alias}."tenantId"`)} = ${person.tenantId}`)
  if (person.userType === 2) {
    const mine = resource.owner ? q`${raw(`${alias}.${ident(resource.owner)}`)} = ${person.userId}` : raw('false')
    parts.push(mine)
  } else parts.push(...staffScope(person, resource, alias, now))
  return parts.reduce((one, other) => q`${one} AND ${other}`)
}

type TableName = keyof Tables & string
type Around = Pick<FastifyInstance, 'db' | 'now'>

/** The scope of a table as a condition for Kysely: `.where(inScope(app, person, 'payrecord'))`. */
export function inScope(app: Around, person: Person, table: TableName, alias: string = table): RawBuilder<boolean> {
  const resource = byTable.get(table)
  if (!resource) throw new Error(`No resource offers the table «${table}».`)
  return expression<boolean>(q`(${scopeOf(person, resource, app.now(), ident(alias))})`)
}

/**
 * A query on a table that meets only the rows a person may meet. No row found means not there or not his: the answer is
 * "not found" in both cases.
 * @param on a transaction; the pool by default
 */
export function scoped<T extends TableName>(
  app: Around,
  person: Person,
  table: T,
  on: Kysely<Database> = app.db,
): SelectQueryBuilder<Database, T, object> {
  const query = on.selectFrom(table as TableName) as unknown as SelectQueryBuilder<Database, T, object>
  return query.where(inScope(app, person, table))
}
