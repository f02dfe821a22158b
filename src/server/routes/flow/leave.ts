import type { FastifyInstance } from 'fastify'
import { Leave } from '#schemas/flow/leave'
import { person } from '../../access.ts'
import { readIds, readInput, wrongInput } from '../../crud/input.ts'
import { scoped } from '../../crud/scope.ts'
import { notYet, refuse } from '../../domain/refusal.ts'
import { ok } from '../../plugins/envelope.ts'

const path = '/api/blade-desk/process/leave'

/** Leave, the example of a process: `blade-desk/process/leave`. */
export function leaveRoutes(app: FastifyInstance): void {
  app.get<{ Querystring: { businessId?: string; id?: string } }>(
    `${path}/detail`,
    { config: { access: 'staff' } },
    async request => {
      const me = person(request)
      const [id = ''] = readIds(request.query.businessId ?? request.query.id, 'businessId')
      const row = await scoped(app, me, 'leave')
        .leftJoin('user as asker', 'asker.id', 'leave.createUser')
        .leftJoin('user as decider', 'decider.id', 'leave.taskUser')
        .selectAll('leave')
        .select(['asker.realName as createUserName', 'decider.realName as taskUserName'])
        .where('leave.id', '=', id)
        .executeTakeFirst()
      const isPart = row?.createUser === me.userId || row?.taskUser === me.userId
      if (!row || !(isPart || me.permissions.has('leave'))) throw refuse(29001)
      return ok(row)
    },
  )
  app.post(`${path}/start-process`, { config: { access: { permission: 'work_start' } } }, async request => {
    const { values, problems } = readInput(Leave, request.body, 'add')
    if (problems.length > 0) throw wrongInput(problems)
    if (Number(values.endTime) <= Number(values.startTime))
      throw wrongInput([{ field: 'endTime', msg: '结束时间应晚于开始时间' }])
    throw notYet()
  })
}
