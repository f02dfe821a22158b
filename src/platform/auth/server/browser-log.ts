import type { FastifyInstance } from 'fastify'
import { countUp } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { columnText } from '../../http/server/log-params.ts'
import { refuse } from '../../http/server/refusal.ts'

const maxRows = 100
const perHour = 5

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))

/** What of a value a log may hold: a page's errors tell what was typed into it. */
const kept = (value: unknown, length: number): string | null =>
  value === undefined || value === null ? null : columnText(asText(value), length)

/**
 * Keeps what a browser noted about its errors.
 * @param rows at most 100; of each url, time, type, message, stack and info are kept
 * @throws input.tooOften after five uploads of one person in an hour, input.invalid for too many rows
 */
export async function keepBrowserLog(
  app: FastifyInstance,
  person: Person,
  rows: readonly unknown[],
  ip: string,
): Promise<void> {
  const list = rows.filter(row => typeof row === 'object' && row !== null) as Record<string, unknown>[]
  if (list.length > maxRows) throw refuse('input.invalid', { 说明: `一次最多上传${maxRows}条` })
  const now = app.now()
  if ((await countUp(app.db, `log:${person.userId}`, 3600, now)) > perHour) throw refuse('input.tooOften')
  if (list.length === 0) return
  const { tenantId, userId, account } = person
  const values = list.map(row => ({
    tenantId,
    serviceId: 'browser',
    createUser: userId,
    createBy: kept(account, 64),
    remoteIp: ip,
    createTime: now,
    requestUri: kept(row.url, 255),
    exceptionName: kept(row.type, 255),
    message: kept(row.message, 4000),
    stackTrace: kept([row.time, row.stack, row.info].filter(Boolean).map(asText).join('\n'), 16_000),
  }))
  await app.db.insertInto('log_error').values(values).execute()
}
