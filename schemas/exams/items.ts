import { dict, entity, filled, flag, integer, json, optional, type Row, state, text } from '#engine'
import { EnableStatus, enableStatus, formInputType, itemGroup, sensitiveLevel } from '../dictionaries.ts'

export const Items = entity(
  'items',
  '报名信息项库',
  {
    itemCode: text('字段编码', { maxLength: 50, pattern: '^[a-zA-Z][a-zA-Z0-9]*$', unique: true }),
    itemName: text('字段名称', { maxLength: 50 }),
    groupName: optional(dict('分组', itemGroup)),
    inputType: dict('控件类型', formInputType),
    dictCode: optional(text('业务字典', { maxLength: 100 })),
    required: flag('默认必填'),
    maxLength: optional(integer('最大长度', { minimum: 0 })),
    regex: optional(text('校验正则')),
    regexMsg: optional(text('校验提示', { maxLength: 100 })),
    rules: optional(json('校验规则')),
    showWhen: optional(json('显示条件')),
    columns: optional(json('表格列')),
    span: optional(integer('栅格', { minimum: 1, maximum: 24 })),
    placeholder: optional(text('占位提示', { maxLength: 100 })),
    defaultValue: optional(text('默认值')),
    sensitive: dict('敏感级别', sensitiveLevel),
    builtin: filled(flag('内置')),
    sort: optional(integer('排序', { minimum: 0 })),
    status: state('状态', enableStatus, { default: EnableStatus.enabled }),
  },
  { label: 'itemName' },
)
export type Items = Row<typeof Items>

declare module '#engine' {
  interface Entities {
    items: typeof Items
  }
}
