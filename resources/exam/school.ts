import { resource } from '#engine'
import { School } from '../../schemas/exam/school.ts'

export const school = resource(School, {
  path: '/blade-school/school',
  route: '/exam/school',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  columns: ['schoolName', 'schoolCode', 'schoolType', 'level', 'province', 'address', 'enable'],
  form: {
    基本信息: [
      'schoolName',
      'schoolCode',
      'schoolType',
      'level',
      'province',
      'city',
      'area',
      'address',
      'enable',
      'remark',
    ],
    考点信息: [
      { field: 'contact', when: { schoolType: 2 } },
      { field: 'contactPhone', when: { schoolType: 2 } },
      { field: 'traffic', span: 24, when: { schoolType: 2 } },
      { field: 'lng', when: { schoolType: 2 } },
      { field: 'lat', when: { schoolType: 2 } },
    ],
  },
  search: ['schoolName', 'schoolCode', 'schoolType', 'level', 'province', 'enable', 'createTime'],
})
