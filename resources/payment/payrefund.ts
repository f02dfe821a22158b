import { decidedShape, group, longText, pick, resource, text, through } from '#engine'
import { RefundStatus } from '../../schemas/dictionaries.ts'
import { Payrefund } from '../../schemas/payment/payrefund.ts'
import { refundInputs } from './refund-inputs.ts'

export const payrefund = resource(Payrefund, {
  path: '/blade-payOrder/payrefund',
  route: '/pay/refund',
  can: ['view', 'export'],
  totals: ['amount'],
  columns: [
    { field: 'payRecordId', with: ['refundNo'], width: 190 },
    { field: 'reason', width: 170 },
    { field: 'refundStatus', as: 'tag', with: ['errMsg'], width: 120 },
    { field: 'amount', with: ['payOrder.channel'], card: true, width: 110 },
    { field: 'applyUser', with: ['createTime'], width: 140 },
    { field: 'approveUser', with: ['successTime'], width: 140 },
    { field: 'payOrderId', folded: true },
    { field: 'payRecord.idCard', folded: true },
    { field: 'channelRefundId', folded: true },
  ],
  find: ['payRecord.name', 'refundNo'],
  views: {
    等我批: { refundStatus: RefundStatus.requested, applyUser: { not: '$caller' } },
    处理中: { refundStatus: RefundStatus.processing },
    异常: { refundStatus: RefundStatus.exception },
    成功: { refundStatus: RefundStatus.succeeded },
    未退: { refundStatus: [RefundStatus.failed, RefundStatus.rejected] },
    全部: {},
  },
  todos: {
    等我批: { label: '待审批的退款', needs: 'payrefund_approve', overdue: { createTime: { before: '$today' } } },
    异常: { label: '异常退款', needs: 'payrefund_byHand' },
  },
  main: ['approve', 'byHand', 'retry', 'view'],
  empty: { text: '没有退款' },
  search: ['refundNo', 'payOrderId', 'payOrder.channel', 'refundStatus', 'createTime'],
  scope: through('payOrderId'),
  actions: {
    apply: {
      label: '申请退款',
      on: 'toolbar',
      call: 'POST apply',
      still: true,
      ask: {
        orderNo: text('商户订单号', { maxLength: 32 }),
        ...refundInputs,
      },
      answer: pick(Payrefund, 'refundNo'),
    },
    approve: {
      label: '批准',
      call: 'POST approve?id',
      still: true,
      when: { refundStatus: RefundStatus.requested },
      second: 'applyUser',
      confirm: '批准后立即向支付渠道发起原路退款，确定批准?',
      answer: group({ message: text('说明') }),
    },
    approveMany: {
      label: '批准',
      on: 'rows',
      call: 'POST approveMany?ids',
      still: true,
      confirm: '批准后立即向支付渠道发起原路退款，您自己申请的不会批准，确定批准?',
      code: 'approve',
      done: '{{name}} 已批准',
      answer: decidedShape,
    },
    reject: {
      label: '驳回',
      call: 'POST reject?id',
      still: true,
      when: { refundStatus: RefundStatus.requested },
      ask: { reason: longText('驳回原因', { maxLength: 255 }) },
      danger: true,
    },
    retry: {
      label: '重试',
      call: 'POST retry?id',
      still: true,
      when: { refundStatus: [RefundStatus.processing, RefundStatus.exception] },
      answer: group({ message: text('说明') }),
    },
    byHand: {
      label: '线下已退',
      call: 'POST byHand?id',
      still: true,
      when: { refundStatus: RefundStatus.exception },
      second: 'applyUser',
      ask: { remark: longText('凭证说明', { maxLength: 200 }) },
    },
  },
})
