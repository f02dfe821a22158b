import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReplyOf } from '#engine'
import type { Values } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { leaveDetail } from '../contract.ts'
import { beginForm } from './begin.ts'
import { takesPart } from './history.ts'
import { leaveForm } from './leave-form.ts'

/**
 * Asks for a leave: the row and its process begin in one transaction.
 * @throws input.invalid for wrong input, row.notFound and workflow.suspended where the process cannot be begun
 */
export function beginLeave(request: FastifyRequest): Promise<{ id: string; processInstanceId: string }> {
  const body = (request.body ?? {}) as Values
  return beginForm(request, leaveForm, { deploymentId: String(body.processDefinitionId ?? '') }, body)
}

/** Where a run stands, and whether the one who asks has a part in it. */
type Standing = ReplyOf<typeof leaveDetail>['flow'] & { takesPart: boolean }

const standingOf = (db: Live, person: Person, leaveId: string): Promise<Standing | undefined> =>
  db
    .selectFrom('flow_instance as i')
    .innerJoin('flow_version as v', 'v.id', 'i.versionId')
    .innerJoin(withRemoved('flow_deployment as d'), 'd.id', 'v.deploymentId')
    .innerJoinLateral(
      eb =>
        eb
          .selectFrom('flow_activity as l')
          .selectAll('l')
          .whereRef('l.instanceId', '=', 'i.id')
          .orderBy('l.id', 'desc')
          .limit(1)
          .as('a'),
      join => join.onTrue(),
    )
    .leftJoin('flow_task as t', 't.id', 'a.taskId')
    .leftJoin(withRemoved('user as u'), 'u.id', 't.assignee')
    .select(['i.id as processInstanceId', 'd.name as processDefinitionName', 'i.status', 'i.endReason'])
    .select(eb => eb.case().when('a.endTime', 'is', null).then(eb.ref('a.taskId')).end().as('taskId'))
    .select(['a.name as taskName', 't.assignee', 'u.realName as assigneeName', takesPart(db, person).as('takesPart')])
    .where('i.businessTable', '=', 'leave')
    .where('i.businessId', '=', leaveId)
    .orderBy('i.id', 'desc')
    .limit(1)
    .executeTakeFirst()

/**
 * A leave with who asked, who decides and where its process stands, for those who have a part in it and whoever looks
 * after leaves.
 * @throws row.notFound for anybody else
 */
export async function detailOf(app: FastifyInstance, me: Person, id: string) {
  const row = await scoped(app, me, 'leave')
    .leftJoin('user as asker', 'asker.id', 'leave.createUser')
    .leftJoin('user as decider', 'decider.id', 'leave.taskUser')
    .selectAll('leave')
    .select(['asker.realName as createUserName', 'decider.realName as taskUserName'])
    .where('leave.id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  const { takesPart: isPart = false, ...flow } = (await standingOf(liveAs(app, me), me, id)) ?? {}
  const isOwn = isPart || [row.createUser, row.taskUser].includes(me.userId)
  if (!isOwn && !me.permissions.has('leave')) throw refuse('row.notFound')
  return { ...row, flow }
}
