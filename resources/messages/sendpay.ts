import { anyOf, longText, optional, resource, through, wide } from '#engine'
import { PayChannelNo, SendpayStatus } from '../../schemas/dictionaries.ts'
import { Sendpay } from '../../schemas/messages/sendpay.ts'

export const sendpay = resource(Sendpay, {
  path: '/blade-sendPay/sendpay',
  route: '/send/pay',
  columns: [
    { field: 'payNo', with: ['createTime'], width: 220 },
    { field: 'packageName', with: ['sendId'], width: 180 },
    { field: 'amount', with: ['num'], card: true, width: 110 },
    { field: 'channel', with: ['voucher'], width: 130 },
    { field: 'sendPayStatus', as: 'tag', width: 110 },
    { field: 'createUser', width: 110 },
    { field: 'sureUser', with: ['sureTime'], folded: true },
    { field: 'remark', folded: true },
  ],
  main: ['sureSendPay'],
  empty: { text: '没有缴费记录' },
  search: ['payNo', 'sendId', 'packageId', 'channel', 'sendPayStatus', 'createTime'],
  views: {
    全部: {},
    待确认: { sendPayStatus: SendpayStatus.unconfirmed },
    待支付: { sendPayStatus: SendpayStatus.unpaid },
  },
  todos: { 待确认: { label: '待确认的到账', needs: 'sendpay_sure', since: 'updateTime' } },
  scope: anyOf(
    through('sendId', { evenRemoved: true, unknown: wide('what is bought for the balance belongs to the tenant') }),
    wide('operators confirm transfers; a purchase names no candidate', ['operator']),
  ),
  editable: { sendPayStatus: SendpayStatus.unpaid },
  removable: {
    when: { sendPayStatus: [SendpayStatus.closed, SendpayStatus.rejected] },
    refusal: 'messages.alreadyConfirmed',
  },
  form: ['packageId', 'channel', { field: 'voucher', when: { channel: PayChannelNo.offline } }, 'remark'],
  actions: {
    voucher: {
      label: '上传凭证',
      call: 'POST voucher?id',
      still: true,
      when: { sendPayStatus: [SendpayStatus.unpaid, SendpayStatus.rejected] },
      input: ['voucher'],
      code: 'edit',
    },
    sureSendPay: {
      label: '确认到账',
      call: 'POST sureSendPay?id',
      still: true,
      when: { sendPayStatus: SendpayStatus.unconfirmed },
      second: 'createUser',
      ask: { remark: optional(longText('备注', { maxLength: 255 })) },
      code: 'sure',
    },
  },
  transitions: {
    reject: {
      label: '驳回',
      call: 'POST reject?id',
      still: true,
      when: { sendPayStatus: SendpayStatus.unconfirmed },
      second: 'createUser',
      set: { sendPayStatus: SendpayStatus.rejected, sureUser: '$caller', remark: '$reason' },
      reason: longText('驳回原因', { maxLength: 255 }),
      reasonAs: 'remark',
      refusal: 'messages.alreadyConfirmed',
      code: 'sure',
      danger: true,
    },
    close: {
      label: '关闭',
      call: 'POST close?id',
      still: true,
      when: { sendPayStatus: SendpayStatus.unpaid },
      set: { sendPayStatus: SendpayStatus.closed },
      confirm: '确定关闭该缴费单?',
      refusal: 'messages.alreadyConfirmed',
      code: 'edit',
      danger: true,
    },
  },
})
