import { entity, optional, type Row, ref, text } from '#engine'

export const Model = entity(
  'model',
  '数据模型',
  {
    modelName: text('模型名称', { maxLength: 50 }),
    modelCode: text('模型编号', { maxLength: 50, unique: true, pattern: '^[A-Za-z][\\w-]*$' }),
    datasourceId: ref('数据源', 'datasource'),
    modelTable: text('物理表名', { maxLength: 63, pattern: '^[A-Za-z_]\\w*$' }),
    modelClass: text('模型类名', { maxLength: 100, pattern: '^[A-Z]\\w*$', help: '大写字母开头，例如 ExamRoom' }),
    modelRemark: optional(text('备注', { maxLength: 500 })),
  },
  { label: 'modelName', tenant: false },
)
export type Model = Row<typeof Model>

declare module '#engine' {
  interface Entities {
    model: typeof Model
  }
}
