import { dict, entity, integer, optional, type Row, text } from '#engine'
import { postCategory } from '../dictionaries.ts'

export const Post = entity(
  'post',
  '职务岗位',
  {
    category: dict('岗位类型', postCategory),
    postCode: text('岗位编号', { maxLength: 30 }),
    postName: text('岗位名称', { maxLength: 64 }),
    sort: integer('岗位排序', { minimum: 0 }),
    remark: optional(text('岗位描述')),
  },
  { label: 'postName' },
)
export type Post = Row<typeof Post>

declare module '#engine' {
  interface Entities {
    post: typeof Post
  }
}
