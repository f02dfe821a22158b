import { dict, dicts, entity, flag, integer, json, optional, type Row, ref, text } from '#engine'
import { formInputType, itemGroup, postType } from '../dictionaries.ts'

export const Examsignitems = entity(
  'examsignitems',
  '考试报名信息项',
  {
    examId: ref('考试', 'examination', { onRemove: 'with' }),
    itemsId: ref('库字段', 'items'),
    itemCode: text('字段编码', { maxLength: 50 }),
    itemName: text('显示名称', { maxLength: 50 }),
    groupName: optional(dict('分组', itemGroup)),
    inputType: dict('控件类型', formInputType),
    dictCode: optional(text('业务字典', { maxLength: 100 })),
    required: flag('必填'),
    rules: optional(json('校验规则')),
    showWhen: optional(json('显示条件')),
    applyTypes: optional(dicts('适用岗位类别', postType)),
    columns: optional(json('表格列')),
    inList: flag('列表显示', { default: 1 }),
    inExport: flag('导出', { default: 1 }),
    inPrint: flag('打印', { default: 1 }),
    span: optional(integer('栅格', { minimum: 0 })),
    sort: integer('排序', { minimum: 0 }),
    enable: flag('启用', { default: 1 }),
  },
  { label: 'itemName', history: true, uniques: [['examId', 'itemCode']] },
)
export type Examsignitems = Row<typeof Examsignitems>

declare module '#engine' {
  interface Entities {
    examsignitems: typeof Examsignitems
  }
}
