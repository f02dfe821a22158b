import { resource } from '#engine'
import { Usercode } from '../../schemas/exams/usercode.ts'

export const usercode = resource(Usercode, {
  path: '/blade-userCode/usercode',
  route: '/exam/usercode',
  columns: ['userId', 'userCode', 'codeType', 'enable'],
  search: ['userId', 'userCode', 'createTime'],
})
