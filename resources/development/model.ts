import { resource } from '#engine'
import { Model } from '../../schemas/development/model.ts'

export const model = resource(Model, {
  path: '/blade-develop/model',
  route: '/develop/model',
  calls: { list: 'GET list' },
  can: ['view', 'add', 'edit', 'remove'],
  columns: ['modelName', 'modelCode', 'datasourceId', 'modelTable', 'modelClass', 'updateTime'],
  search: ['modelName', 'modelCode', 'datasourceId', 'createTime'],
  filters: ['modelTable', 'modelClass'],
  names: { datasourceName: 'datasourceId' },
  form: ['modelName', 'modelCode', 'datasourceId', 'modelTable', 'modelClass', { field: 'modelRemark', span: 24 }],
  actions: {
    fields: { label: '字段配置', call: 'GET model-prototype?id', open: '/develop/model/fields/:id', code: 'edit' },
  },
})
