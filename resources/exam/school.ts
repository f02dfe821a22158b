import { resource } from '#engine'
import { School } from '../../schemas/exam/school.ts'

export const school = resource(School, {
  path: '/blade-school/school',
  route: '/exam/school',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  columns: ['schoolName', 'schoolCode', 'schoolType', 'level', 'province', 'address', 'enable'],
  search: ['schoolName', 'schoolCode', 'schoolType', 'level', 'province', 'enable', 'createTime'],
})
