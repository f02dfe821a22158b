import { resource } from '#engine'
import { Examinetip } from '../../schemas/sign-up/examinetip.ts'

export const examinetip = resource(Examinetip, {
  path: '/blade-examineTip/examinetip',
  route: '/examine/tip',
  columns: ['title', { field: 'content', width: 360 }, 'tipType', 'scope', 'userId', 'sort'],
  search: ['title', 'content', 'tipType', 'scope', 'createTime'],
  form: ['title', 'tipType', 'scope', 'sort', { field: 'content', span: 24 }],
  sort: 'sort',
})
