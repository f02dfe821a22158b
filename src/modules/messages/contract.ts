import {
  type AnswerOf,
  count,
  date,
  dateTime,
  dict,
  download,
  endpoint,
  group,
  id,
  integer,
  json,
  keyed,
  list,
  maybe,
  money,
  optional,
  pageOf,
  pick,
  rowOf,
  sheetCountsShape,
  sheetUpload,
  sometimes,
  text,
  type Wire,
  words,
} from '#engine'
import '#resources'
import { sendmessage } from '#resources/messages/sendmessage'
import { importMode } from '#schemas/dictionaries'
import { Send } from '#schemas/messages/send'
import { Sendpackages } from '#schemas/messages/sendpackages'
import { Payorder } from '#schemas/payment/payorder'
import { payableShape } from '../payment/contract.ts'

const sendId = id('发送订单')
const reading = ['send'] as const
const receivers = ['send_add', 'send_edit'] as const
const buyers = ['send_add', 'send_edit', 'sendpay_add'] as const
const balance = integer('短信余额')

/** Sends one text to a few phones, charged to the balance. */
export const sendDirectly = endpoint('messages.sendDirectly', 'POST /blade-resource/sms/endpoint/send-message', {
  title: '短信：单发',
  access: ['send_sendMessage'],
  values: { code: text('短信模板'), phones: text('手机号码'), params: optional(json('模板参数')) },
  answer: group({ accepted: count('已受理'), failed: list(group({ phone: text('手机号码'), msg: text('原因') })) }),
})

/** Packages on the shelf. */
export const packagesOnShelf = endpoint('messages.packages', 'GET /blade-send/send/getSendPackages', {
  title: '发送订单：可购买的套餐',
  access: reading,
  also: ['POST /blade-send/send/getSendPackages'],
  answer: list(group({ id: id('套餐'), ...pick(Sendpackages, 'packageName', 'num', 'price', 'validDays').of })),
})

/** A sending with the state of its messages, its cost and the balance that can pay it. */
export const sendInfo = endpoint('messages.info', 'GET /blade-send/send/getSendInfo', {
  title: '发送订单：查看',
  access: reading,
  also: ['POST /blade-send/send/getSendInfo'],
  values: { id: sendId },
  answer: group({
    id: sendId,
    ...Send.properties,
    status: integer('状态'),
    createUser: maybe(id('创建人')),
    createDept: maybe(id('创建机构')),
    createTime: dateTime('创建时间'),
    updateUser: maybe(id('更新人')),
    updateTime: dateTime('更新时间'),
    version: integer('版本号'),
    // Messages by state.
    counts: keyed(count('消息数')),
    // Receivers without an account, whom a released notice does not reach.
    noAccount: count('没有账号的人数'),
    balance,
    // The text with the names of its values in braces.
    preview: text('内容预览'),
    params: list(text('模板参数')),
    package: maybe(pick(Sendpackages, 'packageName', 'num', 'price')),
  }),
})

/** The messages of a sending. */
export const sendMessages = endpoint('messages.list', 'GET /blade-send/send/getMessages', {
  title: '发送订单：消息明细',
  access: reading,
  also: ['POST /blade-send/send/getMessages'],
  values: { sendId, current: optional(integer('页码')), size: optional(integer('每页条数')) },
  answer: pageOf(rowOf(sendmessage)),
})

/** The workbook for the receivers of a sending, or of a template before there is one. */
export const receiverTemplate = endpoint('messages.template', 'GET /blade-send/send/exportSendTemplate', {
  title: '发送订单：接收名单模板',
  access: reading,
  also: ['POST /blade-send/send/exportSendTemplate'],
  values: { sendId: sometimes(sendId), templateId: sometimes(id('模板')) },
  answer: download('xlsx'),
})

/** Takes the filled-in workbook into a draft; a phone that comes twice is taken once and counted. */
export const importReceivers = endpoint('messages.import', 'POST /blade-send/send/importMessage', {
  title: '发送订单：导入接收名单',
  access: receivers,
  upload: sheetUpload,
  work: 'import',
  values: { sendId, mode: dict('导入方式', importMode) },
  answer: group({ ...sheetCountsShape.of, dupNum: count('重复') }),
})

/** Whom of an exam a sending is for. */
export const fillFilter = words('接收范围', 'all', 'passed', 'unpaid', 'paid', 'returned', 'rejected')

/** Adds candidates of an exam to a draft, those that the caller may see. */
export const fillFromExam = endpoint('messages.fill', 'POST /blade-send/send/fillMessages', {
  title: '发送订单：从考试选人',
  access: receivers,
  values: { sendId, examId: sometimes(id('考试')), filter: sometimes(fillFilter) },
  answer: group({ num: count('加入人数'), dupNum: count('已在名单中的人数') }),
})

/** Removes all receivers of a draft. */
export const clearReceivers = endpoint('messages.clear', 'POST /blade-send/send/deleteAll', {
  title: '发送订单：清空接收名单',
  access: receivers,
  values: { sendId },
})

/** Removes receivers from their drafts. */
export const removeReceivers = endpoint('messages.removeReceivers', 'POST /blade-send/send/deleteMessage', {
  title: '发送订单：移出接收名单',
  access: receivers,
  values: { ids: text('编号') },
})

/** Starts a paid sending. At night it has to be confirmed, with `confirm`. */
export const startSending = endpoint('messages.send', 'POST /blade-send/send/sendMessage', {
  title: '发送订单：立即发送',
  access: ['send_sendMessage'],
  values: { sendId: sometimes(sendId), id: sometimes(sendId), confirm: sometimes(words('夜间仍要发送', '1')) },
  answer: group({ accepted: count('人数'), noAccount: count('没有账号的人数') }),
})

/** The order that pays a sending, a package bought ahead or an existing purchase. */
export const payByCode = endpoint('messages.payCode', 'GET /blade-send/send/getSendPayQrcode', {
  title: '发送订单：支付二维码',
  access: buyers,
  also: ['POST /blade-send/send/getSendPayQrcode'],
  values: { id: sometimes(sendId), packageId: sometimes(id('套餐')), sendPayId: sometimes(id('发送缴费单')) },
  answer: payableShape,
})

/** Whether an order has been paid, and the balance left. */
export const paymentState = endpoint('messages.payState', 'GET /blade-send/send/checkOrder', {
  title: '发送订单：支付结果',
  access: buyers,
  also: ['POST /blade-send/send/checkOrder'],
  values: { orderNo: text('商户订单号') },
  answer: group({
    orderStatus: Payorder.properties.orderStatus,
    sendStatus: maybe(Send.properties.sendStatus),
    balance,
  }),
})

/** What the cost of text messages is counted by. */
export const costBy = words('统计方式', 'day', 'exam', 'event')

const costs = { texts: count('短信数'), segments: count('计费条数'), amount: money('金额') } as const

/**
 * What text messages that a provider took have cost, at the price of today: of the tenant, and of exams as far as the caller meets
 * their sendings. Without days the last thirty.
 */
export const textCosts = endpoint('messages.costs', 'GET /blade-send/send/costs', {
  title: '短信费用',
  access: ['send_cost'],
  query: { by: costBy, from: sometimes(date('开始日期')), to: sometimes(date('结束日期')) },
  answer: group({
    from: date('开始日期'),
    to: date('结束日期'),
    unitFen: count('短信单价'),
    total: group(costs),
    lines: list(
      group({
        // A day, an exam or the code of a template; empty for what is of none.
        key: text('统计对象'),
        name: text('名称'),
        // What sendings of an event are called.
        title: maybe(text('标题')),
        ...costs,
      }),
    ),
  }),
})

/** A sending with what became of its messages and what pays it. Amounts in fen. */
export type SendInfo = AnswerOf<typeof sendInfo>
/** Whom of an exam a sending is for. */
export type FillFilter = Wire<typeof fillFilter>
/** What became of a list of receivers. */
export type Imported = AnswerOf<typeof importReceivers>
/** An order to be paid. */
export type QrOrder = AnswerOf<typeof payByCode>
/** What the cost of text messages is counted by. */
export type CostBy = Wire<typeof costBy>
/** What text messages have cost. Amounts in fen. */
export type TextCosts = AnswerOf<typeof textCosts>
