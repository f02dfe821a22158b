import { group, resource, text } from '#engine'
import { EnableStatus } from '../../schemas/dictionaries.ts'
import { Sms } from '../../schemas/resource/sms.ts'

export const sms = resource(Sms, {
  path: '/blade-resource/sms',
  route: '/resource/sms',
  calls: { list: 'GET list' },
  columns: ['smsCode', 'category', 'templateId', 'templateContent', 'signName', { field: 'smsStatus', as: 'tag' }],
  search: ['category', 'smsCode', 'smsStatus', 'createTime'],
  filters: ['templateId', 'templateContent', 'signName', 'remark'],
  names: { categoryName: 'category' },
  form: [
    'category',
    'smsCode',
    'signName',
    'templateId',
    { field: 'templateContent', span: 24 },
    'accessKey',
    'secretKey',
    'regionId',
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
      set: { smsStatus: EnableStatus.enabled },
      confirm: '启用后其他短信配置自动停用，确定启用?',
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
