import { dict, entity, filled, integer, optional, type Row, ref, text } from '#engine'
import { OrgCategory, orgCategory, recruitUnit } from '../dictionaries.ts'

export const Dept = entity(
  'dept',
  '机构',
  {
    parentId: optional(ref('上级机构', 'dept')),
    ancestors: filled(optional(text('祖级', { maxLength: 2000 }))),
    deptCategory: dict('机构类型', orgCategory, { default: OrgCategory.department }),
    deptName: text('机构名称', { maxLength: 45 }),
    fullName: text('机构全称', { maxLength: 100 }),
    unitCode: optional(dict('招聘单位编码', recruitUnit)),
    leaderId: optional(
      ref('部门负责人', 'user', { help: '流程中“部门负责人”办理的步骤由其办理；不填时由上级机构的负责人办理' }),
    ),
    sort: integer('排序', { minimum: 0 }),
    remark: optional(text('备注')),
  },
  { label: 'deptName' },
)
export type Dept = Row<typeof Dept>

declare module '#engine' {
  interface Entities {
    dept: typeof Dept
  }
}
