import type { FastifyInstance } from 'fastify'
import { type Selectable, sql } from 'kysely'
import { SensitiveLevel, TaskStatus } from '#schemas/dictionaries'
import './export-tables.ts'
import type { Database } from '../platform/database/database.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../platform/http/server/repeated.ts'
import { failExport } from './export-register.ts'

/** Milliseconds for which a worker has an export; it asks for more long before they are over. */
export const lease = 60_000

/** How often an export is begun at most: one that ends its process each time must not end them all. */
const mostTries = 3
/** Milliseconds until an export that failed is begun again, times the number of tries. */
const pause = 20_000

/** An export that a worker has. */
export type Job = Selectable<Database['export_job']>

type App = FastifyInstance
const later = (app: App, milliseconds: number) => new Date(app.now().getTime() + milliseconds)

/**
 * Takes the oldest export that nobody has, or whose worker no longer answers; those that others are just taking are
 * skipped. The row lock makes sure that of any number of workers one gets it.
 */
export async function claim(app: App, worker: string): Promise<Job | undefined> {
  const now = app.now()
  return app.db.transaction().execute(async trx => {
    const { rows } = await sql<Job>`
      UPDATE export_job j SET "leaseBy" = ${worker}, "leaseUntil" = ${later(app, lease)}, tries = j.tries + 1
      FROM (SELECT q."taskId" FROM export_job q JOIN exporttask t ON t.id = q."taskId"
        WHERE t."taskStatus" IN (${TaskStatus.queued}, ${TaskStatus.running})
          AND (q."leaseUntil" IS NULL OR q."leaseUntil" <= ${now})
        ORDER BY q."taskId" LIMIT 1 FOR NO KEY UPDATE OF q SKIP LOCKED) next
      WHERE j."taskId" = next."taskId" RETURNING j.*`.execute(trx)
    const [job] = rows
    if (!job) return undefined
    await trx
      .updateTable('exporttask')
      .set({ taskStatus: TaskStatus.running, rowNum: 0, failReason: null, updateTime: now })
      .where('id', '=', job.taskId)
      .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
      .execute()
    return job
  })
}

/** Why a worker stops in the middle: somebody else has the export, it was cancelled, or the server ends. */
export type Stop = 'lost' | 'cancelled' | 'closing'

/** Keeps an export for longer and notes how far it is. @returns why the worker must stop, null when it may go on */
export async function renew(app: App, { taskId, leaseBy }: Job, rowNum: number): Promise<Stop | null> {
  const held = await app.db
    .updateTable('export_job')
    .set({ leaseUntil: later(app, lease) })
    .where('taskId', '=', taskId)
    .where('leaseBy', '=', leaseBy)
    .executeTakeFirst()
  if (held.numUpdatedRows === 0n) return 'lost'
  const going = await app.db
    .updateTable('exporttask')
    .set({ rowNum, updateTime: app.now() })
    .where('id', '=', taskId)
    .where('taskStatus', '=', TaskStatus.running)
    .executeTakeFirst()
  return going.numUpdatedRows === 0n ? 'cancelled' : null
}

/** Notes where the bytes are about to be put, so that whoever takes the export over can throw them away. */
export async function notePlace(app: App, { taskId, leaseBy }: Job, key: string): Promise<void> {
  await app.db
    .updateTable('export_job')
    .set({ key })
    .where('taskId', '=', taskId)
    .where('leaseBy', '=', leaseBy)
    .execute()
}

/** Gives an export back, to be begun again: at once and as if never begun when the server ends, else after a while. */
async function giveBack(app: App, { taskId, leaseBy, tries }: Job, isClosing: boolean): Promise<void> {
  const back = isClosing ? { leaseUntil: null, tries: tries - 1 } : { leaseUntil: later(app, pause * tries) }
  await app.db
    .updateTable('export_job')
    .set({ ...back, leaseBy: null })
    .where('taskId', '=', taskId)
    .where('leaseBy', '=', leaseBy)
    .execute()
}

/** After a failure: given back, or given up for good with the reason when it was tried often enough or cannot succeed. */
export async function afterFailure(app: App, job: Job, failure: { reason: string; isFinal: boolean } | Stop) {
  if (failure === 'lost') return
  if (typeof failure === 'object' && (failure.isFinal || job.tries >= mostTries))
    await failExport(app, job.taskId, failure.reason)
  await giveBack(app, job, failure === 'closing')
}

/** True for an export that was begun too often without an end: it ended its processes. */
export const isHopeless = ({ tries }: Job): boolean => tries > mostTries

/** The person's own export, ended without success, is to be made once more. @throws row.wrongState */
export async function askAgain(app: App, taskId: string, userId: string): Promise<void> {
  await app.db.transaction().execute(async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('exporttask')
      .set({ taskStatus: TaskStatus.queued, rowNum: null, failReason: null, endTime: null, updateTime: app.now() })
      .where('id', '=', taskId)
      .where('createUser', '=', userId)
      .where('taskStatus', 'in', [TaskStatus.failed, TaskStatus.cancelled])
      // Personal data in full leave for a reason and a password that were given for one time.
      .where('sensitive', '=', SensitiveLevel.plain)
      .where('inBackground', '=', 1)
      .executeTakeFirst()
    const job = await trx
      .updateTable('export_job')
      .set({ tries: 0, leaseBy: null, leaseUntil: null })
      .where('taskId', '=', taskId)
      .executeTakeFirst()
    if (numUpdatedRows === 0n || job.numUpdatedRows === 0n) throw refuse('row.wrongState')
  })
}

/** The person's own export that is not ended is not to be made. @throws row.wrongState */
export async function cancelExport(app: App, taskId: string, userId: string): Promise<void> {
  const now = app.now()
  const { numUpdatedRows } = await app.db
    .updateTable('exporttask')
    .set({ taskStatus: TaskStatus.cancelled, endTime: now, updateTime: now })
    .where('id', '=', taskId)
    .where('createUser', '=', userId)
    .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
    .where('inBackground', '=', 1)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const task = app.db
    .selectFrom('exporttask')
    .select(['taskStatus', 'createUser as updateUser'])
    .where('id', '=', taskId)
  const row = await task.executeTakeFirst()
  if (!row || !isOwnRepeat(row, row.taskStatus === TaskStatus.cancelled, { userId })) throw refuse('row.wrongState')
}
