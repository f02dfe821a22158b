import type { FastifyInstance } from 'fastify'
import { person } from '../../access.ts'
import { type DefinitionQuery, deployedPage } from '../../actions/flow/definitions.ts'
import { page, pageOf } from '../../domain/page.ts'
import { notYet } from '../../domain/refusal.ts'
import { ok } from '../../plugins/envelope.ts'
import { body, paging, query } from '../signup/schemas.ts'

const word = (title: string, maxLength = 64) => ({ type: 'string', minLength: 1, maxLength, title }) as const
const time = { type: 'string', format: 'dateTime' } as const

/** What lists of tasks may be narrowed by. */
const filters = query({
  ...paging,
  ...{ category: { type: 'string', pattern: '^[0-9]{1,9}$' }, processDefinitionName: word('流程名称', 100) },
  ...{ processDefinitionKey: word('流程标识'), processInstanceId: word('流程实例') },
  ...{ createTime_dategt: time, createTime_datelt: time, beginDate: time, endDate: time },
})

/** Lists of tasks and who may see them. */
const lists = {
  'claim-list': 'work_claim',
  'todo-list': 'work_todo',
  'send-list': 'work_send',
  'done-list': 'work_done',
}

/** What a person has to do, has done and can begin: `blade-flow/work`, `blade-flow/follow`. */
export function workRoutes(app: FastifyInstance): void {
  const work = '/api/blade-flow/work'
  const may = (permission: string) => ({ access: { permission } })

  app.get<{ Querystring: DefinitionQuery }>(
    `${work}/start-list`,
    { config: may('work_start'), schema: filters },
    async request => ok(await deployedPage(app, person(request), { ...request.query, suspensionState: 1 })),
  )
  const none = (url: string, permission: string) =>
    app.get<{ Querystring: DefinitionQuery }>(url, { config: may(permission), schema: filters }, async request =>
      ok(page([], 0, pageOf(request.query))),
    )
  for (const [list, permission] of Object.entries(lists)) none(`${work}/${list}`, permission)
  none('/api/blade-flow/follow/list', 'flow_follow')

  const refused = (url: string, permission: string, schema: object) =>
    app.post(url, { config: may(permission), schema }, async () => {
      throw notYet()
    })
  refused(`${work}/claim-task`, 'work_claim_act', query({ taskId: word('任务') }, ['taskId']))
  refused(`${work}/complete-task`, 'work_todo_act', taskBody)
  refused(
    '/api/blade-flow/follow/delete-process-instance',
    'flow_follow_delete',
    query({ processInstanceId: word('流程实例'), deleteReason: word('终止原因', 500) }, [
      'processInstanceId',
      'deleteReason',
    ]),
  )
}

const taskBody = body(
  {
    ...{ taskId: word('任务'), taskName: word('任务名称', 100), processInstanceId: word('流程实例') },
    ...{ businessId: word('业务'), businessTable: word('业务表') },
    pass: { type: ['boolean', 'integer', 'string'], title: '是否同意' },
    flag: { type: 'string', maxLength: 10 },
    comment: { type: 'string', maxLength: 500, title: '批复意见' },
    variables: { type: 'object' },
  },
  ['taskId', 'processInstanceId', 'pass'],
)
