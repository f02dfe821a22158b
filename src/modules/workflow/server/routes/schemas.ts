import { body, id, paging, query } from '../../../../platform/http/server/schemas.ts'

const word = (title: string, maxLength = 64) => ({ type: 'string', minLength: 1, maxLength, title }) as const
const time = { type: 'string', format: 'dateTime' } as const

const definition = {
  category: { type: 'string', pattern: '^[0-9]{1,9}$' },
  processDefinitionName: word('流程名称', 100),
  processDefinitionKey: word('流程标识'),
  // As Blade's lists of models call them.
  name: word('流程名称', 100),
  key: word('流程标识'),
}

/** What lists of deployed processes may be narrowed by. */
export const definitionFilters = query({
  ...paging,
  ...definition,
  suspensionState: { type: 'integer', enum: [1, 2] },
})

/** What lists of runs and tasks may be narrowed by. */
export const runFilters = query({
  ...paging,
  ...definition,
  processInstanceId: { ...id, title: '流程实例' },
  createTime_dategt: time,
  createTime_datelt: time,
  beginDate: time,
  endDate: time,
})

/** A decision about a task. Older clients say `flag` (`ok` or `no`) for `pass`. */
export const decisionBody = body(
  {
    taskId: { ...id, title: '任务' },
    processInstanceId: { ...id, title: '流程实例' },
    taskName: word('任务名称', 100),
    businessId: word('业务'),
    businessTable: word('业务表'),
    pass: { type: ['boolean', 'integer', 'string'], title: '是否同意' },
    flag: { type: 'string', maxLength: 10 },
    comment: { type: 'string', maxLength: 500, title: '批复意见' },
    variables: { type: 'object', maxProperties: 50 },
  },
  ['taskId', 'processInstanceId'],
)
