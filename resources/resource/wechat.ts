import { group, integer, resource, text } from '#engine'
import { EnableStatus } from '../../schemas/dictionaries.ts'
import { Wechat } from '../../schemas/resource/wechat.ts'
import { accountTransitions } from './account.ts'

export const wechat = resource(Wechat, {
  path: '/blade-resource/wechat',
  route: '/resource/wechat',
  columns: [
    { field: 'accountName', with: ['appId'] },
    { field: 'bound', width: 110 },
    { field: 'wechatStatus', as: 'tag', with: ['pauseReason'] },
    { field: 'pausedTime', folded: true },
    { field: 'pushUrl', folded: true },
  ],
  derived: { pushUrl: text('服务器地址（URL）'), bound: integer('绑定人数') },
  find: ['accountName', 'appId'],
  search: ['accountName', 'appId', 'wechatStatus', 'createTime'],
  filters: ['remark'],
  form: {
    公众号: ['accountName', 'appId', 'appSecret'],
    服务器配置: ['pushToken', 'aesKey'],
    消息模板: [
      'resultTemplate',
      'resultKeywords',
      'todoTemplate',
      'todoKeywords',
      'scheduleTemplate',
      'scheduleKeywords',
      'listTemplate',
      'listKeywords',
      'accountTemplate',
      'accountKeywords',
    ],
    其他: [{ field: 'remark', span: 24 }],
  },
  removable: { when: { wechatStatus: { not: EnableStatus.enabled } } },
  transitions: accountTransitions('wechatStatus', {
    disable: '停用后不再发送微信消息，确定停用?',
    enable: '启用后其他公众号配置自动停用，已绑定其他公众号的人须重新绑定，确定启用?',
  }),
  actions: {
    probe: {
      label: '调试',
      call: 'POST debug?id',
      confirm: '将向微信取一次访问凭证；您绑定了微信时，向您发一条测试消息。确定?',
      answer: group({ msg: text('说明') }),
    },
  },
})
