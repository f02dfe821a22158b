import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import {
  type AnyTransition,
  type Condition,
  type Entity,
  type Fields,
  type Resource,
  type Row,
  reasonName,
  type TransitionName,
  tableOf,
  transitionOf,
} from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import { type AnyHandle, type AnyTrx, liveFor, raw } from '../platform/database/live.ts'
import type { Person } from '../platform/http/server/access.ts'
import { Refusal, refuse } from '../platform/http/server/refusal.ts'
import { actionsOf, givenOf, idsOf, readValues, refuseFirstPerson } from './action.ts'
import { checkLinks } from './checks.ts'
import { conditionSql } from './condition.ts'
import { type Cell, encode, settings } from './encode.ts'
import { announce } from './events.ts'
import { type Fragment, ident, join, rowsOf } from './fragment.ts'
import { keepHistory, wasLastDeed } from './history.ts'
import { type Values, wrongInput } from './input.ts'
import { byKey } from './key.ts'
import { findEntity } from './lookup.ts'
import { checkOwningRows } from './owning-row.ts'
import { type Caller, guardOf } from './rules.ts'
import { inWrite } from './write.ts'

/** Who makes what the program does by itself, as a caller. */
export const programUser = '0'

/** Who makes a transition, when, and in which transaction. */
export interface Making {
  readonly app: FastifyInstance
  readonly trx: Trx
  readonly caller: Caller
  /** Whoever calls, for guards that ask for rights; none where code makes the transition. */
  readonly person?: Person
  readonly now: Date
}

/** What came of a transition: how many rows changed of how many asked for, and how many of another entity along. */
export interface Made {
  readonly changed: number
  readonly total: number
  /** What the transition counts as `num`. */
  readonly num: number
  /** The rows as they are stored now; those asked for when nothing changed. */
  readonly rows: readonly Values[]
  /** Ids of the rows that are as they were asked to be, those that the caller had brought there before among them. */
  readonly ok: readonly string[]
  /** Ids of the others. */
  readonly left: readonly string[]
}

/** Rows that a transition is asked for, and what was entered for it. */
interface Asked {
  /** Condition on `t` that finds the rows the caller may change. */
  readonly these: Fragment
  readonly total: number
  readonly values: Values
  /** Looks at the rows that were found, before anything else is decided. */
  readonly check?: (rows: readonly Values[]) => Promise<void>
}

/** The base column that a transition may change without the entity naming it. */
const statusField: Fields = { status: { kind: 'integer', title: '状态', type: 'integer' } }

const textOf = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

/** What a transition sets, with the values that its words stand for. */
function settled(set: Values, { caller, now }: Making, reason: string): Values {
  const words = new Map<unknown, unknown>([
    ['$now', now],
    ['$caller', caller.userId],
    ['$reason', reason || null],
  ])
  return Object.fromEntries(
    Object.entries(set).map(([name, value]) => [name, words.has(value) ? words.get(value) : value]),
  )
}

/** The columns that rows of an entity get from values. */
function cellsOf(entity: Entity, values: Values, { app, caller }: Making): Promise<Cell[]> {
  const properties = { ...statusField, ...entity.properties }
  return encode({ ...entity, properties }, values, { vault: app.vault, tenantId: caller.tenantId })
}

/** An UPDATE's list of settings: values, stamps and the version. */
function writing(entity: Entity, cells: readonly Cell[], { caller, now }: Making): Fragment {
  const sets = [...settings(cells), sql`"updateUser" = ${caller.userId}`, sql`"updateTime" = ${now}`]
  if (entity.version) sets.push(sql.raw('version = t.version + 1'))
  return join(sets, ', ')
}

/**
 * That a row holds already what a transition writes, apart from the time at which it was written, and that the caller has written
 * it: a field that keeps who made the transition says so, or else who changed the row last.
 */
function isOwn({ set }: AnyTransition, cells: readonly Cell[], { caller }: Making): Fragment {
  const lasting = cells.filter(({ column }) => set[column] !== '$now')
  const equal = lasting.map(({ column, value, isJson }) =>
    isJson
      ? sql`t.${sql.raw(ident(column))} IS NOT DISTINCT FROM ${value}::jsonb`
      : sql`t.${sql.raw(ident(column))} IS NOT DISTINCT FROM ${value}`,
  )
  if (equal.length === 0) return sql.raw('false')
  const isSigned = Object.values(set).includes('$caller')
  return isSigned ? join(equal, ' AND ') : sql`t."updateUser" = ${caller.userId} AND ${join(equal, ' AND ')}`
}

/** Rows that a transition applies to. */
const dueSql = ({ sealed }: Resource, { when }: AnyTransition): Fragment =>
  sealed ? sql`(${conditionSql(when)} AND NOT (${conditionSql(sealed)}))` : conditionSql(when)

/** Changes the rows of other entities that belong to those of a transition. @returns their ids by entity */
async function changeAlong(making: Making, { along = {} }: AnyTransition, ids: readonly string[], reason: string) {
  const changed: Record<string, string[]> = {}
  for (const [name, { by, when, set }] of Object.entries(along)) {
    const entity = findEntity(name) as Entity
    const cells = await cellsOf(entity, settled(set, making, reason), making)
    const rows = await rowsOf(
      making.trx,
      sql`UPDATE ${sql.raw(ident(tableOf(name)))} t SET ${writing(entity, cells, making)}
        WHERE t.${sql.raw(ident(by))} = ANY(${ids}::bigint[]) AND t."isDeleted" = 0
          AND t."tenantId" = ${making.caller.tenantId} AND ${conditionSql(when as Condition | undefined)} RETURNING t.id::text AS id`,
    )
    changed[name] = rows.map(row => String(row.id))
  }
  return changed
}

/**
 * Makes a transition: the rows are locked, the guard is asked, one statement decides and changes, rows of other entities change
 * along, the history is written, and the listeners run.
 * @throws row.notFound when no row is there, the transition's refusal when none meets its condition, and what the guard and the
 * listeners refuse with
 */
async function make(making: Making, resource: Resource, name: string, asked: Asked): Promise<Made> {
  const { app, trx, caller, now } = making
  const { entity } = resource
  const transition = transitionOf(resource, name)
  const { [reasonName(transition)]: given, ...inputs } = asked.values
  const reason = textOf(given)
  const cells = await cellsOf(entity, { ...inputs, ...settled(transition.set, making, reason) }, making)
  const table = sql.raw(ident(tableOf(entity.name)))
  const rows = await rowsOf(
    trx,
    sql`SELECT t.*, ${dueSql(resource, transition)} AS "isDue", ${isOwn(transition, cells, making)} AS "isOwn"
      FROM ${table} t WHERE ${asked.these} ORDER BY t.id FOR NO KEY UPDATE OF t`,
  )
  if (rows.length === 0 || (transition.skipped && rows.length < asked.total)) throw refuse('row.notFound')
  await asked.check?.(rows)
  const due = rows.filter(row => row.isDue).map(({ isDue: _due, isOwn: _own, ...row }) => row)
  const deed = { act: name, userId: caller.userId, now, reason }
  const repeated = await repeatedOf(trx, resource, transition, rows, deed)
  const isDone = (row: Values) => row.isDue || repeated.includes(row)
  const ok = rows.filter(isDone).map(row => String(row.id))
  const left = rows.filter(row => !isDone(row)).map(row => String(row.id))
  if (due.length === 0) {
    if (transition.skipped ? ok.length > 0 : left.length === 0)
      return { changed: 0, total: asked.total, num: 0, rows, ok, left }
    throw refuse(transition.refusal ?? 'row.wrongState')
  }
  const db = liveFor(trx, { ...caller, now: () => now })
  const context = { app, trx, db, caller, person: making.person ?? null, now, values: asked.values, reason }
  await guardOf(app, resource, name)?.({ ...context, rows: due as never, values: asked.values as never })
  const ids = due.map(row => String(row.id))
  const after = await rowsOf(
    trx,
    sql`UPDATE ${table} t SET ${writing(entity, cells, making)}
      WHERE t.id = ANY(${ids}::bigint[]) AND ${dueSql(resource, transition)} RETURNING t.*`,
  )
  const stored = new Map(after.map(row => [String(row.id), row]))
  const pairs = due.flatMap(row => {
    const now = stored.get(String(row.id))
    return now ? [[row, now] as const] : []
  })
  const along = await changeAlong(making, transition, ids, reason)
  if (transition.log !== false) await keepHistory(trx, entity, pairs, deed)
  await announce({ ...context, resource, event: name, pairs, along })
  const { num = 'rows' } = transition
  const counted = num === 'rows' ? pairs.length : (along[num]?.length ?? 0)
  return { changed: pairs.length, total: asked.total, num: counted, rows: pairs.map(([, row]) => row), ok, left }
}

/**
 * The rows that the caller has brought there before, for the same reason: one that a field keeps has been compared with it. A
 * reason that stands in the history alone counts for all of them together.
 */
async function repeatedOf(
  trx: Reader,
  { entity }: Resource,
  { reason: asked, set, log }: AnyTransition,
  rows: readonly Values[],
  deed: { act: string; userId: string; reason: string },
): Promise<readonly Values[]> {
  const own = rows.filter(row => !row.isDue && row.isOwn)
  if (own.length === 0 || !asked || log === false || Object.values(set).includes('$reason')) return own
  const ids = own.map(row => String(row.id))
  return (await wasLastDeed(trx, entity, ids, deed)) ? own : []
}

/**
 * Makes a transition by a call.
 * @param ids the rows by their key; by default those that the call names
 * @returns how many rows were changed of how many asked for; none when the caller has done just this before
 * @throws input.invalid with what is wrong with the inputs, row.notFound, row.sameApprover, what the rows they belong to refuse with, and as
 * {@link make}
 */
export async function transit(
  request: FastifyRequest,
  resource: Resource,
  name: string,
  ids?: readonly string[],
): Promise<Made> {
  const action = actionsOf(resource)[name]
  if (!action) throw new Error(`${resource.name} has no call for ${name}.`)
  const source = givenOf(request)
  const keys = ids ?? idsOf(action, source)
  const values = readValues(resource, name, action, source)
  await refuseFirstPerson(request, resource, action, keys)
  return inWrite(request, resource, async ({ trx, scope, now, person, app }) => {
    const missing = await checkLinks(trx, resource.entity, { app, person, now }, values)
    if (missing.length > 0) throw wrongInput(missing)
    const these = sql`${byKey(resource, keys)} AND ${scope}`
    const check = (rows: readonly Values[]) => checkOwners({ app, trx }, resource, name, rows)
    return make({ app, trx, caller: person, person, now }, resource, name, { these, total: keys.length, values, check })
  })
}

/** Refuses a transition of rows that belong to one which accepts no writes, unless it is still made there. */
async function checkOwners(
  { app, trx }: { app: Pick<FastifyInstance, 'extensions'>; trx: Reader },
  resource: Resource,
  name: string,
  rows: readonly Values[],
): Promise<void> {
  if (!transitionOf(resource, name).still) await checkOwningRows(app, trx, resource, rows)
}

/**
 * Makes a transition by code, in a transaction that is open.
 * @param making with the live transaction of the caller's tenant
 * @param ids rows that the code has found and may change, also where what they belong to accepts no writes
 * @param values inputs of the transition, the reason among them
 * @throws row.notFound, the refusal of the transition, and what its guard and the listeners refuse with
 */
export function makeTransition<R extends Resource>(
  making: Omit<Making, 'trx'> & { readonly trx: AnyTrx },
  resource: R,
  name: TransitionName<R>,
  ids: readonly string[],
  values: Values = {},
): Promise<Made & { readonly rows: readonly Row<R['entity']>[] }> {
  const these = sql`t.id = ANY(${ids}::bigint[]) AND t."isDeleted" = 0 AND t."tenantId" = ${making.caller.tenantId}`
  return make({ ...making, trx: raw(making.trx) }, resource, name, { these, total: ids.length, values }) as never
}

/**
 * What stands against a transition of one row now, said beforehand by the same rules as the call has; null when nothing does.
 * @param trx where the row was read
 */
export async function blockOf(
  { app, caller, now, ...on }: Omit<Making, 'trx'> & { readonly trx: AnyHandle },
  resource: Resource,
  name: string,
  row: Values,
): Promise<Refusal | null> {
  const trx = raw(on.trx)
  try {
    await checkOwners({ app, trx }, resource, name, [row])
    const db = liveFor(trx, { ...caller, now: () => now })
    const context = { app, trx, db, caller, person: null, now, reason: '' }
    await guardOf(app, resource, name)?.({ ...context, rows: [row] as never, values: {} as never })
    return null
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}
