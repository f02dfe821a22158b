import { dateTime, entity, filled, optional, type Row, ref, text } from '#engine'

export const Leave = entity(
  'leave',
  '请假',
  {
    reason: text('请假理由'),
    startTime: dateTime('开始时间'),
    endTime: dateTime('结束时间'),
    taskUser: ref('审批人', 'user'),
    processDefinitionId: text('流程定义', { maxLength: 64 }),
    processInstanceId: filled(optional(text('流程实例', { maxLength: 64 }))),
    applyTime: filled(optional(dateTime('申请时间'))),
  },
  { label: 'reason' },
)
export type Leave = Row<typeof Leave>

declare module '#engine' {
  interface Entities {
    leave: typeof Leave
  }
}
