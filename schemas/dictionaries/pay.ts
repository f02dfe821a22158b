/** Dictionaries of money and messages. */
import { dictionary, wordDictionary } from '#engine'

export const onshelfStatus = dictionary('onshelf_status', '上下架', { 0: '下架', 1: '上架' })

export const payChannel = dictionary('pay_channel', '支付渠道', { 1: '微信扫码', 2: '线下', 9: '模拟' })

export const payBizType = dictionary('pay_biz_type', '支付业务', { 1: '考试缴费', 2: '短信套餐' })

export const exampayStatus = dictionary('exampay_status', '缴费设置状态', { 0: '草稿', 1: '已发布', 2: '已结束' })

export const paymainStatus = dictionary('paymain_status', '批次状态', { 0: '未开始', 1: '缴费中', 2: '已结束' })

export const payState = dictionary('pay_state', '缴费状态', {
  0: '待缴',
  1: '已缴',
  2: '免缴',
  3: '退款中',
  4: '已退款',
  5: '已关闭',
})

export const orderStatus = dictionary('order_status', '订单状态', {
  0: '待支付',
  1: '支付成功',
  2: '已关闭',
  3: '已退款',
  4: '部分退款',
  5: '异常待处理',
})

export const refundStatus = dictionary('refund_status', '退款状态', {
  0: '待审批',
  1: '处理中',
  2: '成功',
  3: '失败关闭',
  4: '异常',
  5: '驳回',
})

export const invoiceStatus = dictionary('invoice_status', '开票状态', {
  0: '未申请',
  1: '已申请',
  2: '已开票',
  3: '已红冲',
})

export const invoiceType = dictionary('invoice_type', '抬头类型', { 1: '个人', 2: '单位' })

export const reconStatus = dictionary('recon_status', '对账状态', {
  0: '未对账',
  1: '对平',
  2: '有差异',
  3: '差异已处理',
})

export const reconDiff = dictionary('recon_diff', '差异类型', {
  1: '渠道多',
  2: '本地多',
  3: '金额不符',
  4: '状态不符',
})

export const handleStatus = dictionary('handle_status', '处理状态', { 0: '未处理', 1: '已处理' })

export const sendpayStatus = dictionary('sendpay_status', '发送缴费状态', {
  0: '待支付',
  1: '待确认',
  2: '已确认',
  3: '已关闭',
  4: '已驳回',
})

export const sendType = dictionary('send_type', '发送方式', { 1: '短信', 2: '站内信', 3: '短信+站内信' })

export const sendStatus = dictionary('send_status', '发送订单状态', {
  0: '草稿',
  1: '待支付',
  2: '待发送',
  3: '发送中',
  4: '已完成',
  5: '部分失败',
  6: '已取消',
})

export const msgStatus = dictionary('msg_status', '消息状态', {
  0: '待发送',
  1: '发送中',
  2: '成功',
  3: '失败',
  4: '已取消',
})

export const ledgerType = dictionary('ledger_type', '余额流水', {
  1: '购买',
  2: '消费',
  3: '退回',
  4: '过期',
  5: '赠送',
})

export const ledgerSource = wordDictionary('ledger_source', '流水来源', { sendpay: '发送缴费单', send: '发送订单' })
