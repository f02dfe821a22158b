import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Entity, matches, type Resource, tableOf } from '#engine'
import { modules, resources as offered } from '#resources'
import { entities } from '#schemas'
import { removeRows } from '../platform/database/live.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { isPointedAt, referencesTo } from './checks.ts'
import { announce } from './events.ts'
import { ident, join, rowsOf } from './fragment.ts'
import { keepHistory } from './history.ts'
import type { Values } from './input.ts'
import { byKey } from './key.ts'
import { checkOwningRows } from './owning-row.ts'
import { countRemoved } from './removed.ts'
import { listenersOf } from './rules.ts'
import { inWrite, type Write } from './write.ts'

/**
 * Removes rows: they stay in the table as deleted, and who has removed them may say so again. What refers to them by
 * `onRemove: 'with'` goes too. Refused while other rows point at any of them (row.inUse), for built-in rows (row.builtIn), in
 * states that are not `removable` and when one of the ids is not there for the caller (row.notFound).
 * @param ids values of the entity's key
 */
export function remove(request: FastifyRequest, resource: Resource, ids: readonly string[]): Promise<void> {
  return inWrite(request, resource, write => removeIn(write, ids))
}

/** The same in a transaction that is open. */
export async function removeIn(write: Write, ids: readonly string[]): Promise<void> {
  const { resource, trx, table, scope, person } = write
  const rows = await rowsOf(
    trx,
    sql`SELECT t.* FROM ${table} t WHERE ${byKey(resource, ids)} AND ${scope} ORDER BY t.id FOR UPDATE OF t`,
  )
  const missing = ids.length - rows.length
  if (missing > 0 && (await countRemoved(trx, tableOf(resource.entity.name), byKey(resource, ids), person)) < missing)
    throw refuse('row.notFound')
  if (rows.length === 0) return
  const { sealed, removable } = resource
  if (sealed && rows.some(row => matches(row, sealed))) throw refuse('row.builtIn')
  await checkOwningRows(write.app, trx, resource, rows)
  // What a hook refuses says more of why.
  await write.hooks.beforeRemove?.(write, rows)
  if (removable && !rows.every(row => matches(row, removable.when))) throw refuse(removable.refusal ?? 'row.wrongState')
  const along = await removeFollowers(write, { resource, rows })
  for (const going of [{ resource, rows }, ...along]) await refuseWhilePointedAt(write, going)
  await removeNow(write, resource, rows)
}

/** Rows that are being removed. */
interface Going {
  readonly resource: Resource
  readonly rows: readonly Values[]
}

const tableSql = ({ entity }: Resource) => sql.raw(ident(tableOf(entity.name)))
const idsOf = (rows: readonly Values[]): string[] => rows.map(row => String(row.id))

/** Marks rows as removed, keeps it in their history and runs the listeners. */
async function removeNow(write: Write, resource: Resource, rows: readonly Values[]): Promise<void> {
  const { trx, now, person } = write
  const removed = await rowsOf(
    trx,
    sql`UPDATE ${tableSql(resource)} t SET "isDeleted" = 1, "updateUser" = ${person.userId}, "updateTime" = ${now}
      WHERE t.id = ANY(${idsOf(rows)}::bigint[]) RETURNING t.*`,
  )
  const before = new Map(rows.map(row => [row.id, row]))
  const gone = removed.map(row => [row, null] as const)
  await keepHistory(trx, resource.entity, gone, { act: 'remove', userId: person.userId, now })
  const pairs = removed.map(row => [before.get(row.id) ?? null, row] as const)
  await announce({ ...write, resource, caller: person, event: 'remove', pairs })
}

/** References whose rows go with the row that they name. */
const followers = (entities as readonly Entity[]).flatMap(entity =>
  Object.entries(entity.properties).flatMap(([column, { ref, onRemove }]) =>
    onRemove === 'with' ? [{ entity, column, of: ref }] : [],
  ),
)

/**
 * Removes the rows that go with others, and those that go with them in turn.
 * @returns rows that went and that something may refer to
 */
async function removeFollowers(write: Write, { resource, rows }: Going): Promise<Going[]> {
  const { app, db } = write
  const gone: Going[] = []
  for (const { entity, column } of followers.filter(({ of }) => of === resource.entity.name)) {
    // What is not offered anywhere nobody listens to.
    const other = offered.find(one => one.entity.name === entity.name)
    // Typed as one of the tables: of each the columns of every entity are asked for.
    const table = tableOf(entity.name) as 'dept'
    const isTheirs = sql<boolean>`${sql.ref(column)} = ANY(${idsOf(rows)}::bigint[])`
    const isMissed = isPointedAt(entity.name, holders)
    if (!other || (!isMissed && !entity.history && listenersOf(app, other, 'remove').length === 0)) {
      await removeRows(db, table).where(isTheirs).execute()
      continue
    }
    // Whoever is about to refer to one of them is waited for, and sees that it is gone.
    const found: Values[] = await db.selectFrom(table).selectAll().where(isTheirs).orderBy('id').forUpdate().execute()
    await removeNow(write, other, found)
    gone.push({ resource: other, rows: found }, ...(await removeFollowers(write, { resource: other, rows: found })))
  }
  return gone
}

const logs = new Set<string>(modules.find(one => one.code === 'log')?.resources.map(one => one.entity.name))

/** Entities whose rows hold what they point at. Logs do not: what they tell about may go. */
const holders = entities.filter(entity => !logs.has(entity.name))

async function refuseWhilePointedAt({ trx }: Write, { resource, rows }: Going): Promise<void> {
  const { entity, tree } = resource
  const pointed = referencesTo(entity.name, holders, idsOf(rows))
  const parts = pointed ? [pointed] : []
  if (tree && entity.properties[tree.parent]?.kind !== 'ref') {
    const keys = rows.map(row => String(row[entity.key]))
    const parent = sql.raw(`r.${ident(tree.parent)}`)
    parts.push(
      sql`EXISTS (SELECT 1 FROM ${tableSql(resource)} r WHERE r."isDeleted" = 0 AND ${parent} = ANY(${keys}::text[]))`,
    )
  }
  if (parts.length === 0) return
  const [found] = await rowsOf(trx, sql`SELECT (${join(parts, ' OR ')}) AS hit`)
  if (found?.hit) throw refuse('row.inUse')
}
