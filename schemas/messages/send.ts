import { dateTime, dict, entity, filled, integer, longText, money, optional, type Row, ref, state, text } from '#engine'
import { sendStatus, sendType } from '../dictionaries.ts'

export const Send = entity(
  'send',
  '发送订单',
  {
    sendNo: filled(text('发送单号', { maxLength: 32, unique: true })),
    title: text('标题', { maxLength: 100 }),
    examId: optional(ref('关联考试', 'examination')),
    sendType: dict('发送方式', sendType),
    templateId: optional(ref('模板', 'sms', { help: '短信须用模板；只发站内信时直接填写内容' })),
    content: optional(longText('内容', { maxLength: 1000 })),
    packageId: optional(ref('套餐', 'sendpackages')),
    num: filled(optional(integer('人数'))),
    segNum: filled(optional(integer('计费条数', { minimum: 0 }))),
    amount: filled(optional(money('金额'))),
    successNum: filled(optional(integer('成功数', { minimum: 0 }))),
    failNum: filled(optional(integer('失败数', { minimum: 0 }))),
    planTime: optional(dateTime('定时发送')),
    sendTime: filled(optional(dateTime('发送时间'))),
    sendStatus: state('状态', sendStatus),
    remark: optional(text('备注')),
  },
  { label: 'title', version: true },
)
export type Send = Row<typeof Send>

declare module '#engine' {
  interface Entities {
    send: typeof Send
  }
}
