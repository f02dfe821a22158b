import { resource } from '#engine'
import { Param } from '../../schemas/system/param.ts'

export const param = resource(Param, {
  path: '/blade-system/param',
  route: '/system/param',
  calls: { list: 'GET list' },
  columns: [{ field: 'paramName', as: 'sentence' }, 'paramKey', { field: 'paramValue', as: 'parameter' }],
  search: ['paramName', 'paramKey', 'createTime'],
  filters: ['paramValue', 'remark'],
  main: 'all',
  form: [
    'paramName',
    { field: 'paramKey', readonly: 'edit' },
    { field: 'paramValue', as: 'parameter', span: 24 },
    'remark',
  ],
})
