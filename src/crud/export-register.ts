import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { SensitiveLevel, TaskStatus } from '#schemas/dictionaries'
import type { Trx } from '../platform/database/database.ts'
import type { Person } from '../platform/http/server/access.ts'
import { columnText } from '../platform/http/server/log-params.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import type { Entry } from './export-kind.ts'

/** After this many milliseconds an export that was to be sent at once has been lost with its process. */
export const lostAfter = 10 * 60_000

/** Writes what is to be done for an export, in the transaction in which it is entered. */
type Queue = (trx: Trx, taskId: string) => Promise<void>

/** Exports that somebody may have waiting in the background. */
const mostWaiting = 10

/**
 * Refuses an export that the person has waiting already, and more waiting ones than allowed. The lock makes one export of two
 * clicks.
 */
async function refuseSame(app: FastifyInstance, trx: Trx, { userId }: Person, mark: string): Promise<void> {
  const key = `export ${userId} ${mark}`
  const lock = await sql<{ mine: boolean }>`SELECT pg_try_advisory_xact_lock(hashtextextended(${key}, 0)) AS mine`
    .execute(trx)
    .then(({ rows }) => rows[0])
  const open = await trx
    .selectFrom('exporttask')
    .select(['mark', 'inBackground'])
    .where('createUser', '=', userId)
    .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
    .where(eb => eb.or([eb('inBackground', '=', 1), eb('createTime', '>', new Date(app.now().getTime() - lostAfter))]))
    .execute()
  if (!lock?.mine || open.some(one => one.mark === mark)) throw refuse('workbook.exportRunning')
  if (open.filter(one => one.inBackground === 1).length >= mostWaiting) throw refuse('input.tooOften')
}

/**
 * Enters an export in the register: one that is being sent, or with `queue` one that is to be made in the background.
 * @param order what makes two exports the same
 * @param queue writes what is to be done, in the same transaction
 * @returns its id
 * @throws workbook.exportRunning while the person's same one is not ended, input.tooOften with too many waiting
 */
export const enterExport = (
  app: FastifyInstance,
  person: Person,
  entry: Entry,
  order: object,
  queue?: Queue,
): Promise<string> => app.db.transaction().execute(trx => enterExportIn(trx, app, person, entry, order, queue))

/** The same as a part of a transaction that is there. */
export async function enterExportIn(
  trx: Trx,
  app: FastifyInstance,
  person: Person,
  entry: Entry,
  order: object,
  queue?: Queue,
): Promise<string> {
  const { userId, tenantId, deptIds } = person
  const now = app.now()
  const mark = app.vault.hash(tenantId, JSON.stringify([entry.bizType, order]))
  await refuseSame(app, trx, person, mark)
  const { id } = await trx
    .insertInto('exporttask')
    .values({
      tenantId,
      bizType: entry.bizType,
      title: entry.title,
      params: JSON.stringify(entry.params),
      mark,
      sensitive: entry.sensitive ? SensitiveLevel.masked : SensitiveLevel.plain,
      reason: entry.reason || null,
      inBackground: queue ? 1 : 0,
      taskStatus: queue ? TaskStatus.queued : TaskStatus.running,
      createUser: userId,
      createDept: deptIds[0] ?? null,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await queue?.(trx, id)
  return id
}

/** Notes that an export has been sent, whole or not. */
export async function endExport(app: FastifyInstance, id: string, isWhole: boolean, rowNum: number): Promise<void> {
  const now = app.now()
  await app.db
    .updateTable('exporttask')
    .set({
      taskStatus: isWhole ? TaskStatus.done : TaskStatus.failed,
      rowNum,
      endTime: now,
      updateTime: now,
      failReason: isWhole ? null : '下载中断',
    })
    .where('id', '=', id)
    .where('taskStatus', '=', TaskStatus.running)
    .execute()
}

/** Notes that an export in the background has begun. @returns false for one that is over, or not there any more */
export async function beginExport(app: FastifyInstance, trx: Trx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('exporttask')
    .set({ taskStatus: TaskStatus.running, rowNum: 0, failReason: null, updateTime: app.now() })
    .where('id', '=', id)
    .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes how far an export in the background is. */
export async function noteRows(app: FastifyInstance, id: string, rowNum: number): Promise<void> {
  await app.db
    .updateTable('exporttask')
    .set({ rowNum, updateTime: app.now() })
    .where('id', '=', id)
    .where('taskStatus', '=', TaskStatus.running)
    .execute()
}

/** Notes why an export made in the background was given up. @returns it; undefined for one that is over already */
export async function failExport(app: FastifyInstance, trx: Trx, id: string, reason: string) {
  const now = app.now()
  return trx
    .updateTable('exporttask')
    .set({ taskStatus: TaskStatus.failed, failReason: columnText(reason, 255), endTime: now, updateTime: now })
    .where('id', '=', id)
    .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
    .returning(['id', 'tenantId', 'title', 'bizType', 'failReason'])
    .executeTakeFirst()
}

/**
 * Notes that an export that ended without success is to be made once more.
 * @throws row.wrongState for any other, and for personal data in full: they leave for a reason and a password that were given for
 * one time
 */
export async function reopenExport(app: FastifyInstance, trx: Trx, id: string): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('exporttask')
    .set({ taskStatus: TaskStatus.queued, rowNum: null, failReason: null, endTime: null, updateTime: app.now() })
    .where('id', '=', id)
    .where('taskStatus', 'in', [TaskStatus.failed, TaskStatus.cancelled])
    .where('sensitive', '=', SensitiveLevel.plain)
    .where('inBackground', '=', 1)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse('row.wrongState')
}

/** Rows on their way out, counted; the export ends with them, however they end. */
export async function* registered<T>(app: FastifyInstance, id: string, rows: AsyncIterable<T>): AsyncGenerator<T> {
  let sent = 0
  let isWhole = false
  try {
    for await (const row of rows) {
      yield row
      sent++
    }
    isWhole = true
  } finally {
    await endExport(app, id, isWhole, sent)
  }
}
