import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
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

async function standingOf({ db }: FastifyInstance, person: Person, leaveId: string): Promise<Standing | undefined> {
  const { rows } = await sql<Standing>`
    SELECT i.id AS "processInstanceId", d.name AS "processDefinitionName", i.status, i."endReason",
      CASE WHEN a."endTime" IS NULL THEN a.id END AS "taskId", a.name AS "taskName", a.assignee, u."realName" AS "assigneeName",
      ${takesPart(person)} AS "takesPart"
    FROM flow_instance i JOIN flow_version v ON v.id = i."versionId" JOIN flow_deployment d ON d.id = v."deploymentId"
    JOIN LATERAL (SELECT * FROM flow_activity l WHERE l."instanceId" = i.id ORDER BY l.id DESC LIMIT 1) a ON true
    LEFT JOIN "user" u ON u.id = a.assignee
    WHERE i."businessTable" = 'leave' AND i."businessId" = ${leaveId} AND i."tenantId" = ${person.tenantId}`.execute(db)
  return rows[0]
}

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
  const { takesPart: isPart = false, ...flow } = (await standingOf(app, me, id)) ?? {}
  const isOwn = isPart || [row.createUser, row.taskUser].includes(me.userId)
  if (!isOwn && !me.permissions.has('leave')) throw refuse('row.notFound')
  return { ...row, flow }
}
