import { entity, flag, integer, optional, type Row, ref, text } from '#engine'

export const Dict = entity(
  'dict',
  '系统字典',
  {
    code: text('字典编号', { maxLength: 100 }),
    dictValue: text('字典名称'),
    dictKey: text('字典键值'),
    sort: integer('字典排序', { minimum: 0 }),
    isSealed: flag('封存'),
    parentId: optional(ref('上级字典', 'dict')),
    remark: optional(text('字典备注')),
  },
  { label: 'dictValue', tenant: false, indexes: [['code', 'dictKey']] },
)
export type Dict = Row<typeof Dict>

declare module '#engine' {
  interface Entities {
    dict: typeof Dict
  }
}
