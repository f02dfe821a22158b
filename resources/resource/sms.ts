import { resource } from '#engine'
import { Sms } from '../../schemas/resource/sms.ts'

export const sms = resource(Sms, {
  path: '/blade-resource/sms',
  route: '/resource/sms',
  calls: { list: 'GET list' },
  columns: ['category', 'smsCode', 'templateId', 'templateContent', 'signName', { field: 'smsStatus', as: 'tag' }],
  search: ['category', 'smsCode', 'smsStatus', 'createTime'],
})
