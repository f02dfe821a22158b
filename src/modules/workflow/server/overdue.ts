import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import { liveAcross } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { tellInbox } from '../../messages/server/inbox.ts'
import { TaskState } from '../rules/run/state.ts'
import type { FlowServer } from './action.ts'
import './flow-tables.ts'
import { candidatesOf } from './people.ts'

/** Tasks of one run of the job, at most; the next run takes the others. */
const most = 200

/**
 * Tells whoever has a task that its time is over, once for each task: who is to do it, or all who may claim it.
 * @returns how many tasks, in all tenants
 */
export async function tellOverdue(server: FlowServer, now: Date): Promise<number> {
  return liveAcross(server, { now: () => now })
    .transaction()
    .execute(async trx => {
      const tasks = await trx
        .selectFrom('flow_task as t')
        .innerJoin('flow_instance as i', 'i.id', 't.instanceId')
        .select(['t.id', 't.name', 't.assignee', 't.candidateUsers', 't.candidateGroups', 't.dueTime'])
        .select(['i.tenantId', 'i.title'])
        .where('t.dueTime', '<', now)
        .where('t.dueTold', 'is', null)
        .where('t.state', '<', sql.lit(TaskState.done))
        .where('i.status', '=', sql.lit(FlowRun.running))
        .orderBy('t.dueTime')
        .limit(most)
        .forNoKeyUpdate('t')
        .skipLocked()
        .execute()
      for (const { id, name, assignee, candidateUsers, candidateGroups, dueTime, tenantId, title } of tasks) {
        const db = programOf(trx, { tenantId }, now)
        const userIds = assignee ? [assignee] : await candidatesOf(db, candidateUsers, candidateGroups)
        const content = `“${title || name}”的步骤“${name}”已超过办理期限${wireTime(dueTime)}，请尽快办理`
        await tellInbox(server, db, { tenantId, userIds, title: '流程任务超时', content }, now)
        await db.updateTable('flow_task').set({ dueTold: now }).where('id', '=', id).execute()
      }
      return tasks.length
    })
}
