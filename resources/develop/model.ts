import { resource } from '#engine'
import { Model } from '../../schemas/develop/model.ts'

export const model = resource(Model, {
  path: '/blade-develop/model',
  route: '/develop/model',
  calls: { list: 'GET list' },
  columns: ['datasourceId', 'modelName', 'modelCode', 'modelTable', 'modelClass'],
  search: ['modelName', 'modelCode', 'createTime'],
})
