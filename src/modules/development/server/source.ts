import pg from 'pg'
import { openSealed } from '../../../crud/reader.ts'
import type { ActionContext } from '../../../crud/rules.ts'
import { isAllowedHost } from '../../../platform/channels/outside/allowed-host.ts'
import { readPlatformParam } from '../../../platform/database/param.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Something that answers SQL: our own pool, or a connection to another database. */
export type Queryable = Pick<pg.Pool, 'query'>

/** The server, and the rows that whoever asks may meet. */
export type Asking = Pick<ActionContext, 'app' | 'db'>

/** Address of the product's own database. */
const ownAddress = 'local'

const address = /^jdbc:postgresql:\/\/([\w.-]+)(?::(\d{1,5}))?\/([\w-]{1,63})$/

/** Where an address leads; null when it is none. */
export function readAddress(url: string): { host: string; port: string; database: string } | null {
  const [, host, port = '5432', database] = address.exec(url) ?? []
  return host && database ? { host, port, database } : null
}

/** What another database may take: a moment, and nothing written. */
const limits = {
  connectionTimeoutMillis: 3000,
  options: '-c default_transaction_read_only=on -c statement_timeout=5000',
}

/**
 * Asks a data source something. Hosts that no administrator allows are not connected to, whatever a row says.
 * @param work what is asked; the source is our own database or a connection that ends afterwards
 * @throws row.notFound for a source that is not there, input.invalid for one that is not allowed or does not answer
 */
export async function inSource<T>(
  { app, db }: Asking,
  id: string,
  work: (source: Queryable, isOwn: boolean) => Promise<T>,
): Promise<T> {
  const row = await db
    .selectFrom('datasource')
    .select(['url', 'username', 'password'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  if (row.url === ownAddress) return work(app.pool, true)
  const at = readAddress(row.url)
  if (!at || !isAllowedHost(at.host, at.port, await readPlatformParam(db, 'develop.hosts')))
    throw refuse('input.invalid', { 说明: '数据源的主机不在系统参数 develop.hosts 允许的范围内' })
  const password = openSealed(app.vault, row.password ?? '')
  const client = new pg.Client({ ...at, port: Number(at.port), user: row.username, password, ...limits })
  try {
    await client.connect()
    return await work(client, false)
  } catch (error) {
    app.log.info({ err: error, datasource: id }, 'data source')
    throw refuse('input.invalid', { 说明: '数据源连接失败，请检查地址、用户名和密码' })
  } finally {
    await client.end().catch(() => {})
  }
}
