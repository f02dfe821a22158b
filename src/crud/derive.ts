import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Resource, tableOf } from '#engine'
import { person } from '../platform/http/server/access.ts'
import { wire } from '../platform/http/server/wire.ts'
import { ident, join, statement } from './fragment.ts'
import { columnSql } from './measure.ts'
import { whereOf } from './query.ts'
import type { Query } from './read.ts'
import { mayRead } from './readable.ts'
import { hooksOf, type ReadContext, type Values } from './rules.ts'

const contextOf = (request: FastifyRequest) => ({
  app: request.server,
  person: person(request),
  now: request.server.now(),
  request,
})

/** Rows, as they go onto the wire, with what code works out for them beside what is read: the hook is asked once. */
export async function withDerived(ctx: ReadContext, resource: Resource, rows: readonly Values[]): Promise<Values[]> {
  const more = await hooksOf(ctx.app, resource).derive?.(ctx, rows)
  const readable = (values: Values = {}) =>
    Object.fromEntries(Object.entries(values).filter(([name]) => mayRead(ctx.person, resource, name)))
  return rows.map((row, i) => ({ ...row, ...(wire(readable(more?.[i])) as Values) }))
}

const isPlain = ({ server }: FastifyRequest, resource: Resource): boolean => !hooksOf(server, resource).derive

/** A page with the derived values of its rows, as JSON text. One that code adds nothing to passes through unread. */
export async function derivedPage(request: FastifyRequest, resource: Resource, page: string): Promise<string> {
  if (isPlain(request, resource)) return page
  const { records, ...rest } = JSON.parse(page) as { records: Values[] }
  return JSON.stringify({ records: await withDerived(contextOf(request), resource, records), ...rest })
}

/** One row with its derived values, as JSON text. */
export async function derivedRow(request: FastifyRequest, resource: Resource, row: string): Promise<string> {
  if (isPlain(request, resource)) return row
  const [whole] = await withDerived(contextOf(request), resource, [JSON.parse(row) as Values])
  return JSON.stringify(whole)
}

/** Sums of the totals of a resource over all rows that a list finds, whatever its page: one statement. */
export async function readTotals(request: FastifyRequest, resource: Resource, query: Query): Promise<Values> {
  const read = { app: request.server, person: person(request), resource }
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const where = whereOf(read, query)
  const { total } = hooksOf(request.server, resource)
  const names = resource.totals.filter(name => mayRead(read.person, resource, name))
  if (names.length === 0) return {}
  if (total) {
    const all = await total(contextOf(request), sql`(SELECT t.id FROM ${table} t WHERE ${where})`)
    return Object.fromEntries(Object.entries(all).filter(([name]) => names.includes(name)))
  }
  const asking = { ...read, now: read.app.now() }
  const sums = join(
    names.map(name => sql`coalesce(sum(${columnSql(name, asking)}), 0)::bigint AS ${sql.raw(ident(name))}`),
    ', ',
  )
  const { rows } = await read.app.pool.query<{ sums: Values }>(
    statement(sql`SELECT row_to_json(r) AS sums FROM (SELECT ${sums} FROM ${table} t WHERE ${where}) r`),
  )
  return rows[0]?.sums ?? {}
}
