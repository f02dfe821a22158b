import { refuse } from '../../domain/refusal.ts'
import type { Caller, Db } from './caller.ts'

/** After this many milliseconds a task that is said to be running has been lost with its process. */
const lost = 10 * 60_000

/** What is exported, for the register of exports. */
export interface NewTask {
  bizType: string
  params: Record<string, unknown>
  sensitive: boolean
  reason: string
}

/** An export in the register. */
export interface Task {
  id: string
  /** To be called once, when everything has left (`true`) or not. */
  end(whole: boolean, rowNum: number): Promise<void>
}

async function endTask(db: Db, id: string, now: Date, whole: boolean, rowNum: number): Promise<void> {
  await db
    .updateTable('exporttask')
    .set({ taskStatus: whole ? 2 : 3, rowNum, updateTime: now })
    .where('id', '=', id)
    .where('taskStatus', '=', 1)
    .execute()
}

/** Enters an export in the register before its first byte leaves. @throws 28007 while the same one is running */
export async function beginTask(caller: Caller, now: () => Date, task: NewTask): Promise<Task> {
  const { db, person } = caller
  const params = JSON.stringify(task.params)
  const same = await db
    .selectFrom('exporttask')
    .select('id')
    .where('createUser', '=', person.userId)
    .where('tenantId', '=', person.tenantId)
    .where('bizType', '=', task.bizType)
    .where('taskStatus', '=', 1)
    .where('createTime', '>', new Date(caller.now.getTime() - lost))
    .where(eb => eb(eb.cast<string>('params', 'jsonb'), '=', eb.cast<string>(eb.val(params), 'jsonb')))
    .executeTakeFirst()
  if (same) throw refuse(28007)
  const { id } = await db
    .insertInto('exporttask')
    .values({
      ...{ tenantId: person.tenantId, bizType: task.bizType, params, taskStatus: 1, reason: task.reason || null },
      ...{
        sensitive: task.sensitive ? 1 : 0,
        createUser: person.userId,
        createTime: caller.now,
        updateTime: caller.now,
      },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { id, end: (whole, rowNum) => endTask(db, id, now(), whole, rowNum) }
}

/** Rows on their way out, counted; the task ends with them, however they end. */
export async function* registered<T>(task: Task, rows: AsyncIterable<T>): AsyncGenerator<T> {
  let sent = 0
  let whole = false
  try {
    for await (const row of rows) {
      yield row
      sent++
    }
    whole = true
  } finally {
    await task.end(whole, sent)
  }
}
