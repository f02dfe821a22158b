import { resource } from '#engine'
import { Param } from '../../schemas/system/param.ts'

export const param = resource(Param, {
  path: '/blade-system/param',
  route: '/system/param',
  columns: ['paramName', 'paramKey', 'paramValue'],
  search: ['paramName', 'paramKey', 'createTime'],
  form: ['paramName', 'paramKey', { field: 'paramValue', span: 24 }, 'remark'],
})
