import { dateTime, dict, entity, filled, longText, optional, type Row, state, text } from '#engine'
import { flow, flowState } from '../dictionaries.ts'

export const FlowDeployment = entity(
  'flow-deployment',
  '流程模型与部署',
  {
    modelKey: text('模型标识', { maxLength: 64 }),
    name: text('模型名称', { maxLength: 100 }),
    category: dict('流程分类', flow),
    suspensionState: state('状态', flowState),
    xml: optional(longText('BPMN XML')),
    tenantIds: optional(text('租户', { maxLength: 500 })),
    description: optional(text('描述', { maxLength: 500 })),
    deployTime: filled(optional(dateTime('部署时间'))),
  },
  { label: 'name' },
)
export type FlowDeployment = Row<typeof FlowDeployment>
