import { group, resource, text } from '#engine'
import { EnableStatus, SmsVendor } from '../../schemas/dictionaries.ts'
import { Sms } from '../../schemas/resource/sms.ts'

export const sms = resource(Sms, {
  path: '/blade-resource/sms',
  route: '/resource/sms',
  calls: { list: 'GET list' },
  columns: [
    { field: 'smsCode', width: 150 },
    { field: 'priority', width: 96 },
    { field: 'category', width: 110 },
    { field: 'templateId', width: 120 },
    { field: 'templateContent', width: 230 },
    { field: 'signName', width: 110 },
    { field: 'smsStatus', as: 'tag', with: ['pauseReason'], width: 140 },
    { field: 'pausedTime', folded: true },
    { field: 'receiptUrl', folded: true },
  ],
  derived: { receiptUrl: text('回执地址') },
  views: { 全部: {}, 已暂停: { smsStatus: EnableStatus.enabled, pausedTime: { not: null } } },
  todos: { 已暂停: { label: '暂停的短信通道', needs: 'sms_enable', since: 'pausedTime' } },
  find: ['smsCode'],
  search: ['category', 'smsCode', 'smsStatus', 'createTime'],
  filters: ['templateId', 'templateContent', 'signName', 'remark'],
  names: { categoryName: 'category' },
  form: [
    'category',
    'smsCode',
    'priority',
    'signName',
    'templateId',
    { field: 'templateContent', span: 24 },
    'accessKey',
    'secretKey',
    'appId',
    { field: 'regionId', when: { category: SmsVendor.tencent } },
    { field: 'remark', span: 24 },
  ],
  removable: { when: { smsStatus: { not: EnableStatus.enabled } } },
  transitions: {
    disable: {
      label: '停用',
      call: 'POST disable?id',
      when: { smsStatus: EnableStatus.enabled },
      set: { smsStatus: EnableStatus.disabled },
      confirm: '确定停用?',
      code: 'enable',
    },
    enable: {
      label: '启用',
      call: 'POST enable?id',
      when: { smsStatus: EnableStatus.disabled },
      guard: '该短信服务商已接入',
      set: { smsStatus: EnableStatus.enabled, pausedTime: null, pauseReason: null },
      confirm: '启用后按此配置发送短信，同一资源编号按优先级互为主备，确定启用?',
    },
    resume: {
      label: '恢复发送',
      call: 'POST resume?id',
      when: { smsStatus: EnableStatus.enabled, pausedTime: { not: null } },
      set: { pausedTime: null, pauseReason: null },
      confirm: '确认暂停原因已消除，恢复发送?',
      code: 'enable',
    },
  },
  actions: {
    probe: {
      label: '调试',
      call: 'POST debug?id',
      ask: {
        text: text('变量内容', { maxLength: 20, default: '123456', help: '填入模板的每个变量；短信发到您自己的手机' }),
      },
      answer: group({ msg: text('说明') }),
    },
  },
})
