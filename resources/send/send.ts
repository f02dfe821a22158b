import { resource } from '#engine'
import { Send } from '../../schemas/send/send.ts'

export const send = resource(Send, {
  path: '/blade-send/send',
  route: '/send/list',
  columns: [
    { field: 'sendNo', width: 230 },
    { field: 'title', width: 200 },
    'examId',
    'sendType',
    'templateId',
    'num',
    'segNum',
    'amount',
    'successNum',
    'failNum',
    'planTime',
    'sendTime',
    { field: 'sendStatus', as: 'tag' },
  ],
  search: ['sendNo', 'title', 'examId', 'sendType', 'sendStatus', 'createTime'],
  form: ['title', 'examId', 'sendType', 'templateId', 'packageId', 'planTime', 'remark'],
  actions: {
    manage: { label: '查看', call: 'GET getSendInfo?id', open: '/send/order/:id' },
    useBalance: {
      label: '余额支付',
      call: 'POST useBalance?id',
      when: { sendStatus: [0, 1] },
      confirm: '从短信余额中扣除本次条数，确定支付?',
      code: 'pay',
    },
    cancel: {
      label: '取消发送',
      call: 'POST cancel?id',
      when: { sendStatus: [0, 1, 2] },
      confirm: '取消后不能恢复，已扣的余额将退回，确定取消?',
      danger: true,
    },
    sendMessage: {
      label: '立即发送',
      call: 'POST sendMessage?id',
      when: { sendStatus: 2 },
      confirm: '短信发出后不能收回，确定发送?',
    },
  },
})
