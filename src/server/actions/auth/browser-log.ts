import type { FastifyInstance } from 'fastify'
import type { Person } from '../../access.ts'
import { countUp } from '../../database/throttle.ts'
import { refuse } from '../../domain/refusal.ts'

const maxRows = 100
const perHour = 5

const cut = (value: unknown, length: number): string | null => {
  if (value === undefined || value === null) return null
  // PostgreSQL takes no NUL in a text.
  return asText(value).replaceAll('\0', '').slice(0, length)
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/**
 * Keeps what a browser noted about its errors.
 * @param rows at most 100; of each url, time, type, message, stack and info are kept
 * @throws 29007 after five uploads of one person in an hour, 29005 for too many rows
 */
export async function keepBrowserLog(app: FastifyInstance, person: Person, rows: unknown, ip: string): Promise<void> {
  const list = Array.isArray(rows) ? rows.filter(row => typeof row === 'object' && row !== null) : []
  if (list.length > maxRows) throw refuse(29005, { 说明: `一次最多上传${maxRows}条` })
  const now = app.now()
  if ((await countUp(app.db, `log:${person.userId}`, 3600, now)) > perHour) throw refuse(29007)
  if (list.length === 0) return
  const { tenantId, userId, account } = person
  const values = list.map((row: Record<string, unknown>) => ({
    ...{ tenantId, serviceId: 'browser', createUser: userId, createBy: account, remoteIp: ip, createTime: now },
    ...{ requestUri: cut(row.url, 255), exceptionName: cut(row.type, 255), message: cut(row.message, 4000) },
    stackTrace: cut([row.time, row.stack, row.info].filter(Boolean).map(asText).join('\n'), 16_000),
  }))
  await app.db.insertInto('log_error').values(values).execute()
}
