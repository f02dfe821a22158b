import { cases, decidedShape, pick, resource, through, when } from '#engine'
import { OrderStatus, PayBizType } from '../../schemas/dictionaries.ts'
import { Payorder } from '../../schemas/payment/payorder.ts'
import { Payrefund } from '../../schemas/payment/payrefund.ts'
import { refundInputs } from './refund-inputs.ts'

export const payorder = resource(Payorder, {
  path: '/blade-payOrder/payorder',
  route: '/pay/order',
  can: ['view', 'edit', 'export'],
  instead: {
    add: '支付订单在考生发起支付时生成，不能新增',
    remove: '支付订单不能删除；未支付的请关单（payorder/close），已支付的请申请退款（payorder/refund）',
  },
  totals: ['amount', 'refundAmount'],
  columns: [
    { field: 'userId', width: 120 },
    { field: 'body', with: ['bizType'], width: 170 },
    { field: 'orderStatus', as: 'tag', with: ['exceptReason'], width: 112 },
    { field: 'amount', with: ['refundAmount'], card: true, width: 106 },
    { field: 'channel', width: 90 },
    { field: 'createTime', width: 110 },
    { field: 'payTime', width: 110 },
    { field: 'orderNo', as: 'copy', with: ['transactionId'], width: 150 },
    { field: 'expireTime', folded: true },
  ],
  find: ['user.realName', 'user.idCard', 'orderNo', 'transactionId'],
  views: {
    异常: { orderStatus: OrderStatus.exception },
    待支付: { orderStatus: OrderStatus.unpaid },
    成功: { orderStatus: OrderStatus.paid },
    退款: { orderStatus: [OrderStatus.refunded, OrderStatus.partlyRefunded] },
    已关闭: { orderStatus: OrderStatus.closed },
    全部: {},
  },
  todos: { 异常: { label: '异常订单' } },
  main: ['check', 'view'],
  empty: { text: '还没有订单' },
  search: ['orderNo', 'bizType', 'bizId', 'userId', 'channel', 'orderStatus', 'transactionId', 'payTime', 'createTime'],
  owner: {
    field: 'userId',
    where: {},
    fields: [
      'orderNo',
      'bizType',
      'bizId',
      'body',
      'amount',
      'channel',
      'expireTime',
      'orderStatus',
      'transactionId',
      'payTime',
      'refundAmount',
    ],
  },
  scope: cases(
    when({ bizType: PayBizType.examFee }, through('bizId', { evenRemoved: true })),
    when({ bizType: PayBizType.smsPackage }, through('bizId', { to: 'sendpay', evenRemoved: true })),
  ),
  actions: {
    check: { label: '查单', call: 'POST check?id', still: true },
    checkMany: {
      label: '查单',
      on: 'rows',
      call: 'POST checkMany?ids',
      still: true,
      code: 'check',
      done: '{{name}} 已查单',
      answer: decidedShape,
    },
    refund: {
      label: '申请退款',
      call: 'POST refund?id',
      still: true,
      when: { orderStatus: [OrderStatus.paid, OrderStatus.partlyRefunded, OrderStatus.exception] },
      ask: refundInputs,
      answer: pick(Payrefund, 'refundNo'),
    },
    close: {
      label: '关单',
      call: 'POST close?id',
      still: true,
      when: { orderStatus: OrderStatus.unpaid },
      confirm: '关单前会先向支付渠道查询，确定关闭?',
      danger: true,
    },
  },
})
