import { dict, entity, flag, integer, optional, type Row, ref, text } from '#engine'
import { componentType, queryType } from '../dictionaries.ts'

const identifier = '^[A-Za-z_]\\w*$'

export const ModelPrototype = entity(
  'model-prototype',
  '模型字段',
  {
    modelId: ref('模型', 'model', { onRemove: 'with' }),
    jdbcName: text('物理列名', { maxLength: 50, pattern: identifier }),
    jdbcType: text('物理类型', { maxLength: 20 }),
    jdbcComment: optional(text('注释', { maxLength: 500 })),
    propertyName: text('属性名', { maxLength: 50, pattern: identifier }),
    propertyType: text('属性类型', { maxLength: 20 }),
    propertyEntity: optional(text('引用', { maxLength: 500 })),
    isList: flag('列表显示'),
    isForm: flag('表单显示'),
    isRow: flag('独占一行'),
    componentType: optional(dict('组件类型', componentType)),
    dictCode: optional(text('字典编码', { maxLength: 50 })),
    isRequired: flag('必填'),
    isUnique: optional(flag('唯一')),
    uniqueGroup: optional(text('组合唯一', { maxLength: 20, help: '填写相同名称的字段合起来唯一' })),
    isState: optional(flag('状态', { help: '由操作变更，不在表单中填写；须有字典' })),
    maxLength: optional(integer('最大长度', { minimum: 1, maximum: 10_485_760 })),
    defaultValue: optional(text('默认值', { maxLength: 255 })),
    isQuery: flag('查询'),
    queryType: optional(dict('查询方式', queryType)),
    sort: optional(integer('排序', { minimum: 0, default: 0 })),
  },
  {
    label: 'propertyName',
    tenant: false,
    uniques: [
      ['modelId', 'jdbcName'],
      ['modelId', 'propertyName'],
    ],
  },
)
export type ModelPrototype = Row<typeof ModelPrototype>

declare module '#engine' {
  interface Entities {
    'model-prototype': typeof ModelPrototype
  }
}
