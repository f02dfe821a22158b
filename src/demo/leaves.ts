import { FlowCategory } from '#schemas/dictionaries'
import type { FlowServer } from '../modules/workflow/server/action.ts'
import { startProcess } from '../modules/workflow/server/start.ts'
import { complete } from '../modules/workflow/server/tasks.ts'
import { liveFor } from '../platform/database/live.ts'
import { atDay, type Demo } from './exams.ts'

/** A leave: who asks whom, when, for how many days, and why. */
interface Asked {
  asker: string
  boss: string
  /** Days from today on which it was asked for and on which it begins. */
  asked: number
  begins: number
  days: number
  reason: string
}

/** Asks for a leave as its page does. @returns the run and its first task */
async function ask(server: FlowServer, demo: Demo, processDefinitionId: string, one: Asked) {
  const { db, tenantId, staff, now } = demo
  const [userId, taskUser] = [staff[one.asker] as string, staff[one.boss] as string]
  const applyTime = atDay(now, one.asked)
  const { id } = await db
    .insertInto('leave')
    .values({
      tenantId,
      processDefinitionId,
      taskUser,
      reason: one.reason,
      applyTime,
      startTime: atDay(now, one.begins),
      endTime: atDay(now, one.begins + one.days),
      createUser: userId,
      createTime: applyTime,
      updateUser: userId,
      updateTime: applyTime,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const starter = { userId, tenantId, now: applyTime }
  const business = { businessTable: 'leave', businessId: id, facts: { taskUser, days: one.days } }
  const wish = { deploymentId: processDefinitionId, category: FlowCategory.leave, ...business }
  const processInstanceId = await startProcess(
    server,
    liveFor(db, { tenantId, userId, now: () => applyTime }),
    starter,
    wish,
  )
  await db.updateTable('leave').set({ processInstanceId }).where('id', '=', id).execute()
  const task = db.selectFrom('flow_task').select('id').where('instanceId', '=', processInstanceId)
  const { id: taskId } = await task.where('endTime', 'is', null).executeTakeFirstOrThrow()
  return { taskId, processInstanceId, userId: taskUser }
}

/** A leave that waits for its decision, and one that was granted. */
export async function makeLeaves(server: FlowServer, demo: Demo): Promise<void> {
  const { db, tenantId, now } = demo
  const process = await db
    .selectFrom('flow_deployment')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('modelKey', '=', 'leave')
    .where('deployTime', 'is not', null)
    .executeTakeFirst()
  if (!process) return
  const granted = { asker: 'caiwu', boss: 'kaowu', asked: -6, begins: -3, days: 2, reason: '家中有事' }
  const { taskId, processInstanceId, userId } = await ask(server, demo, process.id, granted)
  const decision = { taskId, processInstanceId, pass: true, comment: '同意，请安排好手头工作', variables: {} }
  const doer = liveFor(db, { tenantId, userId, now: () => now })
  await complete(server, doer, { userId, tenantId, now: atDay(now, -5) }, decision)
  const waiting = { asker: 'chushen', boss: 'kaowu', asked: -1, begins: 4, days: 5, reason: '参加业务培训' }
  await ask(server, demo, process.id, waiting)
}
