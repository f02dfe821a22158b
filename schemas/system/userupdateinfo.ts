import { dateTime, entity, file, filled, json, optional, type Row, ref, state, text } from '#engine'
import { auditStatus } from '../dictionaries.ts'

export const Userupdateinfo = entity(
  'userupdateinfo',
  '用户信息变更申请',
  {
    userId: filled(ref('用户', 'user')),
    name: filled(optional(text('姓名', { maxLength: 20 }))),
    beforeInfo: filled(json('变更前')),
    afterInfo: json('变更后'),
    reason: text('变更原因'),
    files: optional(file('证明材料')),
    updateStatus: state('状态', auditStatus),
    auditUser: filled(optional(ref('审核人', 'user'))),
    auditTime: filled(optional(dateTime('审核时间'))),
    auditRemark: filled(optional(text('审核意见'))),
  },
  { label: 'name' },
)
export type Userupdateinfo = Row<typeof Userupdateinfo>
