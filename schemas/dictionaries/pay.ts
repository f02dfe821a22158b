/** Dictionaries of money and messages. */
import { dictionary, wordDictionary } from '#engine'

export const onshelfStatus = dictionary('onshelf_status', '上下架', { offShelf: [0, '下架'], onShelf: [1, '上架'] })
export const OnshelfStatus = onshelfStatus.names

export const payChannel = dictionary('pay_channel', '支付渠道', {
  wechat: [1, '微信扫码'],
  offline: [2, '线下'],
  simulated: [9, '模拟'],
})
export const PayChannelNo = payChannel.names

export const payBizType = dictionary('pay_biz_type', '支付业务', {
  examFee: [1, '考试缴费'],
  smsPackage: [2, '短信套餐'],
})
export const PayBizType = payBizType.names

export const exampayStatus = dictionary('exampay_status', '缴费设置状态', {
  draft: [0, '草稿'],
  released: [1, '已发布'],
  ended: [2, '已结束'],
})
export const ExampayStatus = exampayStatus.names

export const paymainStatus = dictionary('paymain_status', '批次状态', {
  notStarted: [0, '未开始'],
  open: [1, '缴费中'],
  ended: [2, '已结束'],
})
export const PaymainStatus = paymainStatus.names

export const payState = dictionary('pay_state', '缴费状态', {
  due: [0, '待缴'],
  paid: [1, '已缴'],
  exempt: [2, '免缴'],
  refunding: [3, '退款中'],
  refunded: [4, '已退款'],
  closed: [5, '已关闭'],
})
export const PayState = payState.names

export const orderStatus = dictionary('order_status', '订单状态', {
  unpaid: [0, '待支付'],
  paid: [1, '支付成功'],
  closed: [2, '已关闭'],
  refunded: [3, '已退款'],
  partlyRefunded: [4, '部分退款'],
  exception: [5, '异常待处理'],
})
export const OrderStatus = orderStatus.names

export const refundStatus = dictionary('refund_status', '退款状态', {
  requested: [0, '待审批'],
  processing: [1, '处理中'],
  succeeded: [2, '成功'],
  failed: [3, '失败关闭'],
  exception: [4, '异常'],
  rejected: [5, '驳回'],
})
export const RefundStatus = refundStatus.names

export const invoiceStatus = dictionary('invoice_status', '开票状态', {
  none: [0, '未申请'],
  asked: [1, '已申请'],
  issued: [2, '已开票'],
  reversed: [3, '已红冲'],
})
export const InvoiceStatus = invoiceStatus.names

export const invoiceType = dictionary('invoice_type', '抬头类型', {
  individual: [1, '个人'],
  organization: [2, '单位'],
})
export const InvoiceType = invoiceType.names

export const reconStatus = dictionary('recon_status', '对账状态', {
  pending: [0, '未对账'],
  balanced: [1, '对平'],
  different: [2, '有差异'],
  resolved: [3, '差异已处理'],
})
export const ReconStatus = reconStatus.names

export const reconDiff = dictionary('recon_diff', '差异类型', {
  channelOnly: [1, '渠道多'],
  localOnly: [2, '本地多'],
  amount: [3, '金额不符'],
  status: [4, '状态不符'],
})
export const ReconDiff = reconDiff.names

export const handleStatus = dictionary('handle_status', '处理状态', { open: [0, '未处理'], handled: [1, '已处理'] })
export const HandleStatus = handleStatus.names

export const sendpayStatus = dictionary('sendpay_status', '发送缴费状态', {
  unpaid: [0, '待支付'],
  unconfirmed: [1, '待确认'],
  confirmed: [2, '已确认'],
  closed: [3, '已关闭'],
  rejected: [4, '已驳回'],
})
export const SendpayStatus = sendpayStatus.names

export const sendType = dictionary('send_type', '发送方式', {
  sms: [1, '短信'],
  inbox: [2, '站内信'],
  smsAndInbox: [3, '短信+站内信'],
})
export const SendType = sendType.names

export const sendStatus = dictionary('send_status', '发送订单状态', {
  draft: [0, '草稿'],
  unpaid: [1, '待支付'],
  queued: [2, '待发送'],
  sending: [3, '发送中'],
  done: [4, '已完成'],
  partlyFailed: [5, '部分失败'],
  cancelled: [6, '已取消'],
})
export const SendStatus = sendStatus.names

export const msgStatus = dictionary('msg_status', '消息状态', {
  queued: [0, '待发送'],
  sending: [1, '发送中'],
  sent: [2, '成功'],
  failed: [3, '失败'],
  cancelled: [4, '已取消'],
  held: [5, '暂缓'],
})
export const MsgStatus = msgStatus.names

export const ledgerType = dictionary('ledger_type', '余额流水', {
  purchase: [1, '购买'],
  use: [2, '消费'],
  return: [3, '退回'],
  expiry: [4, '过期'],
  gift: [5, '赠送'],
})
export const LedgerType = ledgerType.names

export const ledgerSource = wordDictionary('ledger_source', '流水来源', {
  sendpay: '发送缴费单',
  send: '发送订单',
  objectionReceived: '异议受理短信',
  objectionAnswered: '异议答复短信',
})
