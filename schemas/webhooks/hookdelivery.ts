import {
  dateTime,
  entity,
  filled,
  flag,
  hidden,
  integer,
  longText,
  optional,
  type Row,
  ref,
  state,
  text,
} from '#engine'
import { hookDeliveryStatus } from '../dictionaries.ts'

/** An event on its way to a hook, and what the receiver answered last. */
export const Hookdelivery = entity(
  'hookdelivery',
  '推送记录',
  {
    hookId: filled(ref('推送', 'hook', { onRemove: 'with' })),
    /** Id of the event, which may be gone before the log is. */
    eventId: hidden(filled(text('业务事件', { maxLength: 20 }))),
    /** What the receiver tells it apart by: the same at every try. */
    messageId: filled(text('消息编号', { maxLength: 40 })),
    code: filled(text('事件', { maxLength: 60 })),
    subjectId: filled(text('业务主键', { maxLength: 20 })),
    examId: filled(optional(ref('考试', 'examination', { enforced: false }))),
    body: filled(longText('推送内容')),
    deliveryStatus: state('状态', hookDeliveryStatus),
    isReplay: filled(flag('重放')),
    tries: filled(integer('次数', { default: 0 })),
    /** How many of the waits between tries are over. */
    waits: hidden(filled(integer('等待次数', { default: 0 }))),
    goAt: filled(dateTime('下次时间')),
    leaseUntil: hidden(filled(optional(dateTime('占用至')))),
    sentTime: filled(optional(dateTime('推送时间'))),
    httpStatus: filled(optional(integer('HTTP状态'))),
    ms: filled(optional(integer('耗时（毫秒）'))),
    answer: filled(optional(longText('接收方的回应', { maxLength: 2048 }))),
    doneTime: filled(optional(dateTime('结束时间'))),
  },
  { label: 'messageId', uniques: [['hookId', 'eventId']] },
)
export type Hookdelivery = Row<typeof Hookdelivery>

declare module '#engine' {
  interface Entities {
    hookdelivery: typeof Hookdelivery
  }
}
