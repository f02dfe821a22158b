import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import { tableOf } from '#engine'
import { entities } from '#schemas'
import { ident } from '../../../crud/fragment.ts'

const rowsAtOnce = 1000

/** Tables whose rows belong to a tenant, with the columns that never leave the server. */
const tables = entities
  .filter(entity => entity.tenant)
  .map(entity => ({
    name: tableOf(entity.name),
    hidden: Object.entries(entity.properties).flatMap(([name, field]) => ('hidden' in field ? [name] : [])),
  }))

interface Line {
  id: string
  row: string
}

/** The rows of one table as JSON texts, some at a time. */
async function* rowsOf(app: FastifyInstance, { name, hidden }: (typeof tables)[number], tenantId: string) {
  let last = '0'
  for (;;) {
    const { rows } = await app.pool.query<Line>(
      `SELECT id::text, (to_jsonb(t) - $1::text[])::text AS row FROM ${ident(name)} t
       WHERE "tenantId" = $2 AND id > $3 ORDER BY t.id LIMIT ${rowsAtOnce}`,
      [hidden, tenantId, last],
    )
    for (const { row } of rows) yield row
    last = rows.at(-1)?.id ?? last
    if (rows.length < rowsAtOnce) return
  }
}

async function* filesOf(app: FastifyInstance, tenantId: string) {
  const query = app.db.selectFrom('attach').select('name').where('tenantId', '=', tenantId).orderBy('id')
  for (const { name } of await query.execute()) {
    const bytes = await app.storage.get(name).catch(() => null)
    if (bytes) yield `${JSON.stringify({ file: name, bytes: bytes.toString('base64') })}\n`
  }
}

async function* linesOf(app: FastifyInstance, tenantId: string) {
  for (const table of tables)
    for await (const row of rowsOf(app, table, tenantId)) yield `{"table":"${table.name}","row":${row}}\n`
  yield* filesOf(app, tenantId)
  await app.db.updateTable('tenant').set({ dumpTime: app.now() }).where('tenantId', '=', tenantId).execute()
}

/**
 * Everything of a tenant: one JSON line per row and per file, packed. Personal numbers stay encrypted with the keys of the
 * installation. When the last line is read, the tenant is marked as exported.
 */
export const dumpTenant = (app: FastifyInstance, tenantId: string): Readable =>
  Readable.from(linesOf(app, tenantId)).pipe(createGzip())
