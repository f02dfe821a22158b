import type { FastifyInstance } from 'fastify'
import { TaskStatus } from '#schemas/dictionaries'
import { refuse } from '../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../platform/http/server/repeated.ts'

type App = FastifyInstance

/** The person's own export, ended without success, is to be made once more. @throws row.wrongState */
export async function askAgain(app: App, taskId: string, userId: string): Promise<void> {
  await app.db.transaction().execute(async trx => {
    const own = await trx
      .selectFrom('exporttask')
      .select('id')
      .where('id', '=', taskId)
      .where('createUser', '=', userId)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!own || !(await app.queue.retry(trx, { kind: 'export', key: taskId }))) throw refuse('row.wrongState')
  })
  app.queue.nudge()
}

/** The person's own export that is not ended is not to be made. @throws row.wrongState */
export async function cancelExport(app: App, taskId: string, userId: string): Promise<void> {
  const now = app.now()
  await app.db.transaction().execute(async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('exporttask')
      .set({ taskStatus: TaskStatus.cancelled, endTime: now, updateTime: now })
      .where('id', '=', taskId)
      .where('createUser', '=', userId)
      .where('taskStatus', 'in', [TaskStatus.queued, TaskStatus.running])
      .where('inBackground', '=', 1)
      .executeTakeFirst()
    if (numUpdatedRows > 0n) return void (await app.queue.cancel(trx, { kind: 'export', key: taskId }))
    const task = trx
      .selectFrom('exporttask')
      .select(['taskStatus', 'createUser as updateUser'])
      .where('id', '=', taskId)
    const row = await task.executeTakeFirst()
    if (!row || !isOwnRepeat(row, row.taskStatus === TaskStatus.cancelled, { userId })) throw refuse('row.wrongState')
  })
}
