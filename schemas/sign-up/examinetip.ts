import { dict, entity, filled, integer, optional, type Row, ref, text } from '#engine'
import { examineResult, TipScope, tipScope } from '../dictionaries.ts'

export const Examinetip = entity(
  'examinetip',
  '审核提示语',
  {
    title: text('标题', { maxLength: 50 }),
    content: text('内容', { maxLength: 500, help: '审核时一键填入意见' }),
    tipType: dict('适用结果', examineResult),
    scope: dict('可见范围', tipScope, { default: TipScope.personal }),
    userId: filled(ref('所属人', 'user')),
    sort: optional(integer('排序', { minimum: 0 })),
  },
  { label: 'title' },
)
export type Examinetip = Row<typeof Examinetip>

declare module '#engine' {
  interface Entities {
    examinetip: typeof Examinetip
  }
}
