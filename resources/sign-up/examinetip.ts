import { resource } from '#engine'
import { Examinetip } from '../../schemas/sign-up/examinetip.ts'

export const examinetip = resource(Examinetip, {
  path: '/blade-examineTip/examinetip',
  route: '/examine/tip',
  columns: ['title', 'content', 'tipType', 'scope', 'sort'],
  search: ['title', 'content', 'tipType', 'createTime'],
  sort: 'sort',
})
