import { dateTime, dict, entity, filled, integer, optional, type Row, ref, sealed, state, text } from '#engine'
import { deliveryState, messageChannel } from '../dictionaries.ts'
import { keeping } from '../keeping.ts'

/** A message of the inbox that goes out by one more way: each message once by each. Its words are made when it goes out. */
export const Delivery = entity(
  'delivery',
  '投递明细',
  {
    messageId: filled(text('消息', { maxLength: 20 })),
    userId: filled(ref('用户', 'user', { onRemove: 'with' })),
    examId: filled(optional(ref('考试', 'examination', { enforced: false }))),
    code: filled(text('事件编号', { maxLength: 60 })),
    channel: filled(dict('渠道', messageChannel)),
    address: filled(sealed('接收地址', { keep: keeping.addresses })),
    deliveryState: state('状态', deliveryState),
    /** When it is taken up next; of one that is under way: when whoever sends it has surely ended. */
    goAt: filled(dateTime('下次处理时间')),
    /** After that nobody has any use for it. */
    until: filled(optional(dateTime('截止时间'))),
    tryNum: filled(integer('发送次数', { minimum: 0 })),
    sendTime: filled(optional(dateTime('发送时间'))),
    errMsg: filled(optional(text('失败原因'))),
    /** What the channel said when it took it. */
    ref: filled(optional(text('渠道应答'))),
    resendReason: filled(optional(text('重发原因', { maxLength: 200 }))),
    resendUser: filled(optional(ref('重发人', 'user'))),
  },
  {
    label: 'code',
    uniques: [['messageId', 'channel']],
    indexes: [['examId', 'deliveryState']],
    about: 'userId',
    purpose: '以您选择的方式通知您',
    keep: keeping.messages,
  },
)
export type Delivery = Row<typeof Delivery>

declare module '#engine' {
  interface Entities {
    delivery: typeof Delivery
  }
}
