import { dateTime, entity, filled, integer, json, optional, type Row, ref, sealed, state, text } from '#engine'
import { msgStatus } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

export const Sendmessage = entity(
  'sendmessage',
  '发送消息明细',
  {
    sendId: ref('发送订单', 'send', { onRemove: 'with' }),
    name: optional(text('姓名', { maxLength: 20 })),
    phone: sealed('手机号码', { format: 'phone' }),
    userId: optional(ref('用户', 'user')),
    /** The message of the inbox that it says, too. */
    messageId: filled(optional(text('消息', { maxLength: 20 }))),
    params: optional(json('模板参数')),
    content: filled(text('内容', { maxLength: 1000 })),
    segments: filled(integer('计费条数', { minimum: 0 })),
    msgStatus: state('状态', msgStatus),
    bizNo: filled(optional(text('渠道流水', { maxLength: 64 }))),
    errMsg: filled(optional(text('失败原因'))),
    tryNum: filled(optional(integer('推迟次数', { minimum: 0 }))),
    goAt: filled(optional(dateTime('下次发送时间'))),
    retryNum: filled(optional(integer('重试次数', { minimum: 0 }))),
    resendReason: filled(optional(text('重发原因', { maxLength: 200 }))),
    resendUser: filled(optional(ref('重发人', 'user'))),
    /** When it was let go once more by another account, since nobody could tell whether it had arrived. */
    againTime: filled(optional(dateTime('备用通道再发时间'))),
    sendTime: filled(optional(dateTime('发送时间'))),
    reportTime: filled(optional(dateTime('回执时间'))),
  },
  {
    label: 'name',
    uniques: [['sendId', 'phone']],
    indexes: [['sendId', 'msgStatus'], ['messageId'], ['msgStatus']],
    about: 'userId',
    personal: ['name', 'content', 'params'],
    purpose: '以短信通知您',
    keep: keeping.messages,
  },
)
export type Sendmessage = Row<typeof Sendmessage>

declare module '#engine' {
  interface Entities {
    sendmessage: typeof Sendmessage
  }
}
