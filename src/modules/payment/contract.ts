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
  list,
  longText,
  maybe,
  optional,
  pick,
  sheetTotalsShape,
  sheetUpload,
  sometimes,
  text,
  truth,
  words,
} from '#engine'
import { importMode, payChannel, payState, reconStatus } from '#schemas/dictionaries'
import { Examination } from '#schemas/exams/examination'
import { Exampay } from '#schemas/payment/exampay'
import { Payorder } from '#schemas/payment/payorder'
import { Payrecord } from '#schemas/payment/payrecord'
import { channelState, instructionShape } from '../../platform/channels/pay/contract.ts'

const serverTime = dateTime('服务器时间')
const recordId = { id: id('缴费记录') }
const orderId = { id: id('支付订单') }
const feeId = { id: id('缴费设置') }

/** An order that can be paid; `codeUrl` is what the QR code holds. */
export const payableShape = group({
  ...pick(Payorder, 'orderNo', 'amount', 'expireTime').of,
  codeUrl: text('二维码链接', { maxLength: 500 }),
  serverTime,
})

/** What the comparison of a day came to. */
const comparedShape = group({ reconStatus: dict('对账状态', reconStatus), diffNum: count('差异笔数') })

/** Makes the order by which a candidate pays a record, or staff pay for messages: the open one while it is of use. */
export const startPayment = endpoint('payment.start', 'POST /pay/wxpay/createOrder', {
  title: '发起支付',
  access: 'signed-in',
  values: { payRecordId: optional(id('缴费记录')), sendPayId: optional(id('发送缴费单')) },
  answer: group({
    ...payableShape.of,
    body: Payorder.properties.body,
    instructions: sometimes(list(instructionShape)),
  }),
})

/** Where an order stands, asked from the channel while it is open. */
export const followPayment = endpoint('payment.follow', 'POST /pay/wxpay/queryOrder', {
  title: '查询支付结果',
  access: 'signed-in',
  values: { orderNo: text('商户订单号', { maxLength: 32 }) },
  answer: group({
    ...pick(Payorder, 'orderNo', 'orderStatus', 'payTime', 'amount').of,
    payState: maybe(dict('缴费状态', payState)),
    serverTime,
  }),
})

/** What a candidate owes, has paid and need not pay, newest first. */
export const myPayments = endpoint('payment.mine', 'GET /blade-payrecord/payrecord/getMyPayList', {
  title: '我的缴费',
  access: 'candidate',
  answer: list(
    group({
      ...pick(Payrecord, 'signupId', 'examId', 'itemId', 'unit', 'code', 'amount', 'payState', 'payTime', 'channel').of,
      ...pick(Payrecord, 'exemptReason', 'isInvoice', 'invoiceStatus', 'invoiceNo', 'invoiceFile', 'invoiceType').of,
      ...pick(Payrecord, 'invoiceTitle', 'taxNo', 'invoiceEmail').of,
      id: id('缴费记录'),
      ...pick(Examination, 'examName').of,
      itemName: text('项目名称', { maxLength: 100 }),
      payName: text('缴费名称', { maxLength: 100 }),
      orderNo: maybe(text('商户订单号', { maxLength: 32 })),
      transactionId: maybe(text('渠道订单号', { maxLength: 64 })),
      startTime: maybe(dateTime('缴费开始')),
      endTime: maybe(dateTime('缴费结束')),
      windowState: words('缴费时段', 'unset', 'before', 'open', 'closed'),
      canPay: truth('能否支付'),
      isExemptAsked: sometimes(truth('免缴材料是否待核')),
      block: longText('现在不能支付的原因'),
      serverTime,
    }),
  ),
})

/** What a candidate has to pay and can pay now. */
export const myUnpaid = endpoint('payment.unpaid', 'GET /blade-signup/signup/getMyUnpaid', {
  title: '我的待缴',
  access: 'candidate',
  answer: list(
    group({
      ...recordId,
      payRecordId: id('缴费记录'),
      ...pick(Payrecord, 'examId', 'itemId', 'amount').of,
      ...pick(Examination, 'examName').of,
      itemName: text('项目名称', { maxLength: 100 }),
      ...pick(Exampay, 'payName').of,
      startTime: maybe(dateTime('缴费开始')),
      endTime: maybe(dateTime('缴费结束')),
      serverTime,
    }),
  ),
})

/** Asks for an invoice, or corrects what is to stand on it. */
export const askForInvoice = endpoint('payment.askForInvoice', 'POST /blade-payrecord/payrecord/applyInvoice', {
  title: '缴费记录：申请开票',
  access: 'signed-in',
  values: { ...recordId, ...pick(Payrecord, 'invoiceType', 'invoiceTitle', 'taxNo', 'invoiceEmail').of },
})

/** Releases a fee: everybody who owes it gets a record. */
export const releaseFee = endpoint('payment.releaseFee', 'POST /blade-examPay/exampay/releasePay', {
  title: '考试缴费设置：发布缴费',
  access: ['exampay_release'],
  values: feeId,
})

/** Recalls a fee that nobody has paid. */
export const recallFee = endpoint('payment.recallFee', 'POST /blade-examPay/exampay/deletePay', {
  title: '考试缴费设置：撤回缴费',
  access: ['exampay_recall'],
  values: feeId,
})

/** Recalls the fees of batches, named by their ids or by exam and stage. */
export const removeBatches = endpoint('payment.removeBatches', 'POST /blade-payrecordmain/payrecordmain/remove', {
  title: '缴费批次：删除',
  access: ['payrecordmain_delete', 'exampay_recall'],
  values: {
    ids: optional(text('编号', { maxLength: 12_000 })),
    examId: optional(id('考试')),
    itemId: optional(id('考试项目')),
  },
})

/** Waives the fee of one person, with the reason and its proof. */
export const exemptRecord = endpoint('payment.exempt', 'POST /blade-payrecord/payrecord/exempt', {
  title: '缴费记录：免缴',
  access: ['payrecord_exempt'],
  values: { ...recordId, ...pick(Payrecord, 'exemptReason', 'exemptFile').of },
})

/** Books money that was paid outside of any channel. */
export const payOffline = endpoint('payment.payOffline', 'POST /blade-payrecord/payrecord/offlinePay', {
  title: '缴费记录：线下登记',
  access: ['payrecord_offline'],
  values: { ...recordId, remark: text('凭证说明', { maxLength: 100 }) },
})

/** Opens a closed record again after its window was extended. */
export const reopenRecord = endpoint('payment.reopen', 'POST /blade-payrecord/payrecord/reopen', {
  title: '缴费记录：重新开放',
  access: ['payrecord_reopen'],
  values: recordId,
})

/** Asks the channel about an order and takes over what it says. */
export const checkOrder = endpoint('payment.checkOrder', 'POST /blade-payOrder/payorder/check', {
  title: '支付订单：查单',
  access: ['payorder_check'],
  values: orderId,
  answer: group({
    channelState: words('渠道状态', ...channelState.of, 'UNKNOWN'),
    action: words('处理结果', 'unknown', 'open', 'paid', 'closed', 'exception', 'again'),
  }),
})

/** Closes an order that was not paid. */
export const closeOrder = endpoint('payment.closeOrder', 'POST /blade-payOrder/payorder/close', {
  title: '支付订单：关单',
  access: ['payorder_close'],
  values: orderId,
})

/** The empty sheet of people who need not pay. */
export const exemptTemplate = endpoint('payment.exemptTemplate', 'GET /blade-payrecord/payrecord/exemptTemplate', {
  title: '缴费记录：下载免缴模板',
  access: ['payrecord_importExempt'],
  answer: download('xlsx'),
})

/** Takes in a list of people who need not pay; one proof stands for all of them. */
export const importExempt = endpoint('payment.importExempt', 'POST /blade-payrecord/payrecord/importExempt', {
  title: '缴费记录：导入免缴名单',
  access: ['payrecord_importExempt'],
  upload: sheetUpload,
  work: 'import',
  values: {
    itemId: id('考试项目'),
    exemptFile: id('免缴材料'),
    mode: optional(dict('导入方式', importMode)),
  },
  answer: sheetTotalsShape,
})

/** The invoices that are asked for, of one exam or of all. */
export const exportInvoices = endpoint('payment.exportInvoices', 'GET /blade-payrecord/payrecord/exportInvoice', {
  title: '缴费记录：导出待开票',
  access: ['payrecord_invoice'],
  views: true,
  values: { examId: optional(id('考试')) },
  answer: download('xlsx'),
})

/** The invoices that are asked for, of records that were chosen. */
export const exportAskedInvoices = endpoint('payment.exportAsked', 'GET /blade-payrecord/payrecord/exportAsked', {
  title: '缴费记录：导出所选的待开票',
  access: ['payrecord_invoice'],
  views: true,
  values: { ids: text('编号', { maxLength: 12_000 }) },
  answer: download('xlsx'),
})

/** Takes in the numbers of invoices that were issued. */
export const importInvoices = endpoint('payment.importInvoices', 'POST /blade-payrecord/payrecord/importInvoice', {
  title: '缴费记录：导入票据号',
  access: ['payrecord_invoice'],
  views: true,
  upload: sheetUpload,
  work: 'import',
  values: { mode: optional(dict('导入方式', importMode)) },
  answer: sheetTotalsShape,
})

const dayAndChannel = { billDate: date('账单日期'), channel: dict('渠道', payChannel) }

/** Compares a day with the bill that the channel is asked for. */
export const compareDay = endpoint('payment.compareDay', 'POST /blade-reconciliation/reconciliation/run', {
  title: '对账：执行对账',
  access: ['reconciliation_run'],
  values: dayAndChannel,
  answer: comparedShape,
})

/** Compares a day that is there with a bill that was brought by hand. */
export const bringBill = endpoint('payment.bringBill', 'POST /blade-reconciliation/reconciliation/bringBill', {
  title: '对账：为某日上传账单',
  access: ['reconciliation_run'],
  upload: sheetUpload,
  work: 'import',
  values: { id: id('对账') },
})

/** Compares a day with a bill that was brought by hand. */
export const compareWithBill = endpoint(
  'payment.compareWithBill',
  'POST /blade-reconciliation/reconciliation/importBill',
  {
    title: '对账：上传账单',
    access: ['reconciliation_run'],
    upload: sheetUpload,
    work: 'import',
    values: dayAndChannel,
    answer: comparedShape,
  },
)

/** A fee record as its candidate sees it: owed, paid or not to be paid. Amounts in fen. */
export type Due = AnswerOf<typeof myPayments>[number]
/** An order at the channel; `codeUrl` is what the QR code holds, `instructions` what to fill in where money is sent by hand. */
export type Order = AnswerOf<typeof startPayment>
/** What a page that waits for a payment is told. */
export type OrderState = AnswerOf<typeof followPayment>
