import { resource, text } from '#engine'
import { School } from '../../schemas/exams/school.ts'

export const school = resource(School, {
  path: '/blade-school/school',
  route: '/exam/school',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  derived: { map: text('地图') },
  columns: [
    'schoolName',
    'schoolCode',
    'schoolType',
    'address',
    { field: 'map', as: 'link', width: 90 },
    'level',
    { field: 'province', folded: true },
    'enable',
  ],
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
  actions: {
    rooms: { label: '导入考点考场', on: 'toolbar', call: 'GET getExcel?code', open: '/ticket/allot', code: 'import' },
  },
})
