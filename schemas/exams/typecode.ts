import { dict, entity, integer, optional, type Row, ref, text } from '#engine'
import { postType } from '../dictionaries.ts'

export const Typecode = entity(
  'typecode',
  '类别编码',
  {
    typeName: text('类别名称', { maxLength: 50 }),
    type: dict('岗位类别', postType),
    typeCode: text('类别编码', { maxLength: 10 }),
    examId: optional(ref('考试', 'examination', { onRemove: 'with' })),
    sort: integer('排序', { minimum: 0 }),
    remark: optional(text('备注')),
  },
  { history: true, uniques: [{ fields: ['typeCode'], where: { examId: null } }, ['examId', 'typeCode']] },
)
export type Typecode = Row<typeof Typecode>

declare module '#engine' {
  interface Entities {
    typecode: typeof Typecode
  }
}
