import { dateTime, dict, entity, filled, integer, longText, optional, type Row, state, text } from '#engine'
import { FlowCancel, flow, flowCancel, flowState } from '../dictionaries.ts'

export const FlowDeployment = entity(
  'flow-deployment',
  '流程模型',
  {
    modelKey: text('模型标识', { maxLength: 64, unique: true, pattern: '^[A-Za-z_][\\w.-]*$' }),
    name: text('模型名称', { maxLength: 100 }),
    category: dict('流程分类', flow),
    // The version people see: one more at each save, and none more when it is deployed or suspended. A submit that says an old one is
    // refused; older clients say none.
    version: filled(optional(integer('版本', { minimum: 1, default: 1 }))),
    suspensionState: state('状态', flowState),
    allowCancel: optional(
      dict('允许撤销', flowCancel, { default: FlowCancel.untilDecided, help: '发起人在此之前可以撤销流程' }),
    ),
    xml: longText('BPMN XML', { help: '不超过1MB；不能含DOCTYPE、实体和脚本任务' }),
    tenantIds: optional(text('租户', { maxLength: 500, help: '租户编号，多个用逗号分隔；不填为本租户' })),
    description: optional(text('描述', { maxLength: 500 })),
    deployTime: filled(optional(dateTime('部署时间'))),
  },
  { label: 'name' },
)
export type FlowDeployment = Row<typeof FlowDeployment>

declare module '#engine' {
  interface Entities {
    'flow-deployment': typeof FlowDeployment
  }
}
