import { entity, optional, type Row, ref, text } from '#engine'

export const Model = entity(
  'model',
  '数据模型',
  {
    datasourceId: ref('数据源', 'datasource'),
    modelName: text('模型名称', { maxLength: 50 }),
    modelCode: text('模型编号', { maxLength: 50 }),
    modelTable: text('物理表名', { maxLength: 100 }),
    modelClass: text('模型类名', { maxLength: 100 }),
    modelRemark: optional(text('备注', { maxLength: 500 })),
  },
  { label: 'modelName', tenant: false },
)
export type Model = Row<typeof Model>
