import { resource } from '#engine'
import { Payorder } from '../../schemas/pay/payorder.ts'

export const payorder = resource(Payorder, {
  path: '/blade-payOrder/payorder',
  route: '/pay/order',
  can: ['view', 'export'],
  columns: [
    'orderNo',
    'bizType',
    'body',
    'amount',
    'channel',
    'expireTime',
    { field: 'orderStatus', as: 'tag' },
    'transactionId',
    'payTime',
    'refundAmount',
    'exceptReason',
  ],
  search: ['orderNo', 'bizType', 'bizId', 'userId', 'channel', 'orderStatus', 'transactionId', 'payTime', 'createTime'],
  owner: 'userId',
  actions: {
    check: { label: '查单', call: 'POST check?id' },
    close: {
      label: '关单',
      call: 'POST close?id',
      when: { orderStatus: 0 },
      confirm: '关单前会先向支付渠道查询，确定关闭?',
      danger: true,
    },
  },
})
