import { resource } from '#engine'
import { Post } from '../../schemas/system/post.ts'

export const post = resource(Post, {
  path: '/blade-system/post',
  route: '/system/post',
  columns: ['postName', 'postCode', 'category', 'sort', 'remark'],
  search: ['category', 'postCode', 'postName', 'createTime'],
})
