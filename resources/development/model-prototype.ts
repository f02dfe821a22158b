import { resource } from '#engine'
import { ModelPrototype } from '../../schemas/development/model-prototype.ts'

const columns = [
  'propertyName',
  'modelId',
  'jdbcName',
  'jdbcType',
  'jdbcComment',
  'propertyType',
  'isList',
  'isForm',
  'isRow',
  'isRequired',
  'isQuery',
  'queryType',
  'componentType',
  'dictCode',
] as const

export const modelPrototype = resource(ModelPrototype, {
  path: '/blade-develop/model-prototype',
  route: '/develop/prototype',
  calls: { list: 'GET list' },
  can: ['view'],
  columns,
  search: ['modelId', 'jdbcName', 'propertyName', 'componentType', 'createTime'],
  sort: 'sort',
})
