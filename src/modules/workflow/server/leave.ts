import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ReplyOf } from '#engine'
import { leave } from '#resources/workflow/leave'
import { FlowCategory } from '#schemas/dictionaries'
import { Leave } from '#schemas/workflow/leave'
import { isId, readInput, type Values, wrongInput } from '../../../crud/input.ts'
import { scoped } from '../../../crud/scope.ts'
import { insertValues } from '../../../crud/store.ts'
import { inWrite } from '../../../crud/write.ts'
import { person as callerOf, type Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { leaveDetail } from '../contract.ts'
import { takesPart } from './history.ts'
import { startProcess } from './start.ts'

const day = 86_400_000

/** The values of a leave. @throws input.invalid naming the fields */
function readLeave(body: unknown, { userId }: Person): Values {
  const { values, problems } = readInput(Leave, body, 'add')
  if (problems.length > 0) throw wrongInput(problems)
  if (Number(values.endTime) <= Number(values.startTime))
    throw wrongInput([{ field: 'endTime', msg: '结束时间应晚于开始时间' }])
  if (values.taskUser === userId) throw wrongInput([{ field: 'taskUser', msg: '审批人不能是本人' }])
  if (!isId(String(values.processDefinitionId))) throw refuse('row.notFound')
  return values
}

/**
 * Asks for a leave: the row and its process begin in one transaction.
 * @throws input.invalid for wrong input, row.notFound and workflow.suspended where the process cannot be begun
 */
export function beginLeave(request: FastifyRequest): Promise<{ id: string; processInstanceId: string }> {
  const me = callerOf(request)
  const values = readLeave(request.body, me)
  return inWrite(request, leave, async write => {
    const { db, now } = write
    const row = await insertValues(write, { ...values, applyTime: now })
    const days = Math.ceil((Number(values.endTime) - Number(values.startTime)) / day)
    const processInstanceId = await startProcess(
      db,
      { ...me, now },
      {
        deploymentId: String(values.processDefinitionId),
        category: FlowCategory.leave,
        businessTable: 'leave',
        businessId: String(row.id),
        facts: { taskUser: String(values.taskUser), days },
      },
    )
    await db.updateTable('leave').set({ processInstanceId }).where('id', '=', String(row.id)).execute()
    return { id: String(row.id), processInstanceId }
  })
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
    .leftJoin(withRemoved('user as u'), 'u.id', 'a.assignee')
    .select(['i.id as processInstanceId', 'd.name as processDefinitionName', 'i.status', 'i.endReason'])
    .select(eb => eb.case().when('a.endTime', 'is', null).then(eb.ref('a.id')).end().as('taskId'))
    .select(['a.name as taskName', 'a.assignee', 'u.realName as assigneeName', takesPart(person).as('takesPart')])
    .where('i.businessTable', '=', 'leave')
    .where('i.businessId', '=', leaveId)
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
