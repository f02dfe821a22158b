import { SendStatus, SendType } from '../../schemas/dictionaries.ts'

/** What becomes of a sending: looked at, paid or settled where it is free, let out, or cancelled. */
export const sendActions = {
  resume: {
    label: '继续',
    call: 'GET resume?id',
    open: '/send/order/:id',
    when: { sendStatus: SendStatus.draft },
    code: 'manage',
  },
  manage: { label: '查看', call: 'GET getSendInfo?id', open: '/send/order/:id' },
  useBalance: {
    label: '余额支付',
    call: 'POST useBalance?id',
    still: true,
    when: { sendStatus: [SendStatus.draft, SendStatus.unpaid], sendType: [SendType.sms, SendType.smsAndInbox] },
    confirm: '从短信余额中扣除本次条数，确定支付?',
    code: 'pay',
  },
  ready: {
    label: '确认名单',
    call: 'POST ready?id',
    still: true,
    when: { sendStatus: SendStatus.draft, sendType: SendType.inbox },
    confirm: '站内信不收费；确认后名单不能再改，确定?',
    code: 'pay',
  },
  cancel: {
    label: '取消发送',
    call: 'POST cancel?id',
    still: true,
    when: { sendStatus: [SendStatus.draft, SendStatus.unpaid, SendStatus.queued] },
    confirm: '取消后不能恢复，已扣的余额将退回，确定取消?',
    danger: true,
  },
  sendMessage: {
    label: '立即发送',
    call: 'POST sendMessage?id',
    still: true,
    when: { sendStatus: SendStatus.queued },
    confirm: '立即发给名单上的所有人；短信发出后不能收回，确定发送?',
  },
} as const
