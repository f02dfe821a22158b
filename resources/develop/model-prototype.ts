import { resource } from '#engine'
import { ModelPrototype } from '../../schemas/develop/model-prototype.ts'

export const modelPrototype = resource(ModelPrototype, {
  path: '/blade-develop/model-prototype',
  calls: { list: 'GET list' },
  columns: [
    'jdbcName',
    'jdbcType',
    'jdbcComment',
    'propertyName',
    'propertyType',
    'isList',
    'isForm',
    'isRow',
    'componentType',
    'dictCode',
    'isRequired',
    'isQuery',
    'queryType',
  ],
  search: ['createTime'],
})
