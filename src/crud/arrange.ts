import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Resource } from '#engine'
import { refuse } from '../platform/http/server/refusal.ts'
import { type Fragment, ident, rowsOf } from './fragment.ts'
import type { Values } from './input.ts'
import { byKey } from './key.ts'
import { checkOwningRows } from './owning-row.ts'
import { inWrite, type Write } from './write.ts'

/** Rows of one order at most; step between their numbers, so that one can be put between two by hand. */
const [most, step] = [2000, 10]

interface Numbered {
  id: string
  number: number | null
}

/** The rows named, which share one order. @throws row.notFound, input.invalid, what the rows they belong to refuse with */
async function named(write: Write, ids: readonly string[]): Promise<Values[]> {
  const { app, resource, table, scope, trx } = write
  const rows = await rowsOf<Values>(trx, sql`SELECT t.* FROM ${table} t WHERE ${byKey(resource, ids)} AND ${scope}`)
  if (rows.length < ids.length) throw refuse('row.notFound')
  const group = resource.order?.within
  if (group && new Set(rows.map(row => String(row[group] ?? ''))).size > 1)
    throw refuse('input.invalid', { 说明: '只能在同一组内排序' })
  await checkOwningRows(app, trx, resource, rows)
  return rows
}

/** Every row of the order that the caller may meet, locked in one direction, as the list shows them. */
async function whole(write: Write, by: Fragment, within: Fragment): Promise<Numbered[]> {
  const { table, scope, trx } = write
  const rows = await rowsOf<Numbered>(
    trx,
    sql`SELECT t.id::text AS id, t.${by} AS number FROM ${table} t WHERE ${scope} AND ${within}
      ORDER BY t.id LIMIT ${most + 1} FOR NO KEY UPDATE OF t`,
  )
  if (rows.length > most) throw refuse('workbook.tooManyRows', { n: most })
  const at = ({ number }: Numbered) => number ?? Number.POSITIVE_INFINITY
  return rows.toSorted((one, other) => (at(one) === at(other) ? 0 : at(one) - at(other)))
}

/**
 * Puts rows into the order given. They take the places that they hold among all rows of their order, so that a page or
 * a search can be put in order without the rest; then all are renumbered.
 * @throws row.notFound when one of them is not there for the caller, input.invalid when they belong to different
 * orders, what the rows they belong to refuse with
 */
export function arrange(request: FastifyRequest, resource: Resource, ids: readonly string[]): Promise<void> {
  return inWrite(request, resource, async write => {
    const { order, entity } = resource
    const { table, person, now, trx } = write
    const [first] = await named(write, ids)
    const by = sql.raw(ident(order?.by ?? ''))
    const group = order?.within
    const within = group ? sql`t.${sql.raw(ident(group))} IS NOT DISTINCT FROM ${first?.[group]}` : sql.raw('true')
    const rows = await whole(write, by, within)
    const chosen = [...ids]
    const after = rows.map(({ id }) => (ids.includes(id) ? (chosen.shift() ?? id) : id))
    const version = sql.raw(entity.version ? ', version = t.version + 1' : '')
    await rowsOf(
      trx,
      sql`UPDATE ${table} t SET ${by} = v.number, "updateUser" = ${person.userId}, "updateTime" = ${now} ${version}
        FROM unnest(${after}::bigint[], ${after.map((_, i) => (i + 1) * step)}::int[]) AS v(id, number)
        WHERE t.id = v.id AND t.${by} IS DISTINCT FROM v.number`,
    )
  })
}
