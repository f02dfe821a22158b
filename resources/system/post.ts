import { resource } from '#engine'
import { Post } from '../../schemas/system/post.ts'

export const post = resource(Post, {
  path: '/blade-system/post',
  route: '/system/post',
  calls: { list: 'GET list' },
  columns: ['postName', 'postCode', 'category', 'sort', 'remark'],
  search: ['category', 'postCode', 'postName', 'createTime'],
  filters: ['sort', 'remark'],
  names: { categoryName: 'category' },
})
