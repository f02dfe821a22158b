import type { FastifyInstance } from 'fastify'
import { TaskStatus } from '#schemas/dictionaries'
import { lostAfter } from './export-register.ts'

/** Files removed by one run; the next run takes the others. */
const portion = 200

/** Exports that were being sent when their process ended are not running any more. */
async function endLost({ db, now }: FastifyInstance): Promise<void> {
  await db
    .updateTable('exporttask')
    .set({ taskStatus: TaskStatus.failed, failReason: '下载中断', endTime: now(), updateTime: now() })
    .where('taskStatus', '=', TaskStatus.running)
    .where('inBackground', '=', 0)
    .where('createTime', '<=', new Date(now().getTime() - lostAfter))
    .execute()
}

/** Files whose days are over: the bytes first, so that a failure leaves a file that is tried again, never bytes nobody knows. */
async function endFiles(app: FastifyInstance): Promise<void> {
  const { db, storage } = app
  const over = await db
    .selectFrom('exporttask as task')
    .innerJoin('attach', 'attach.id', 'task.fileId')
    .select(['task.id', 'attach.id as fileId', 'attach.name as key'])
    .where('task.keepUntil', '<=', app.now())
    .orderBy('task.keepUntil')
    .limit(portion)
    .execute()
  for (const { id, fileId, key } of over) {
    await storage.remove(key)
    await db.transaction().execute(async trx => {
      await trx.updateTable('exporttask').set({ fileId: null }).where('id', '=', id).execute()
      await trx.deleteFrom('attach').where('id', '=', fileId).execute()
    })
  }
}

/** Removes what exports leave behind: files after their days, and notes of what was lost. */
export async function tidyExports(app: FastifyInstance): Promise<void> {
  await endLost(app)
  await endFiles(app)
}
