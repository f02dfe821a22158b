import { group, resource, text } from '#engine'
import { EnableStatus } from '../../schemas/dictionaries.ts'
import { Mail } from '../../schemas/resource/mail.ts'
import { accountTransitions } from './account.ts'

export const mail = resource(Mail, {
  path: '/blade-resource/mail',
  route: '/resource/mail',
  columns: [
    { field: 'fromAddress', with: ['fromName'], width: 260 },
    { field: 'host', width: 220 },
    { field: 'port', width: 90 },
    { field: 'mailSecurity', width: 150 },
    { field: 'mailStatus', as: 'tag', with: ['pauseReason'], width: 170 },
    { field: 'pausedTime', folded: true },
  ],
  views: { 全部: {}, 已暂停: { mailStatus: EnableStatus.enabled, pausedTime: { not: null } } },
  todos: { 已暂停: { label: '暂停的邮箱', needs: 'mail_enable', since: 'pausedTime' } },
  find: ['fromAddress', 'host'],
  search: ['fromAddress', 'host', 'mailStatus', 'createTime'],
  filters: ['fromName', 'mailSecurity', 'remark'],
  form: {
    发件人: ['fromAddress', 'fromName'],
    服务器: ['host', 'port', 'mailSecurity', 'mailAccount', 'mailPassword'],
    DKIM签名: ['dkimDomain', 'dkimSelector', { field: 'dkimKey', span: 24 }],
    其他: [{ field: 'remark', span: 24 }],
  },
  // The key is made, and its record published, once the account sends.
  later: { DKIM签名: 'createTime' },
  removable: { when: { mailStatus: { not: EnableStatus.enabled } } },
  transitions: accountTransitions('mailStatus', {
    disable: '停用后不再发送邮件，确定停用?',
    enable: '启用后其他邮箱配置自动停用，确定启用?',
  }),
  actions: {
    probe: {
      label: '调试',
      call: 'POST debug?id',
      confirm: '将向您自己的邮箱发一封测试邮件，确定发送?',
      answer: group({ msg: text('说明') }),
    },
  },
})
