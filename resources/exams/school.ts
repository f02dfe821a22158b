import { resource, text } from '#engine'
import { SchoolType } from '../../schemas/dictionaries.ts'
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
      { field: 'contact', when: { schoolType: SchoolType.examSite } },
      { field: 'contactPhone', when: { schoolType: SchoolType.examSite } },
      { field: 'traffic', span: 24, when: { schoolType: SchoolType.examSite } },
      { field: 'lng', when: { schoolType: SchoolType.examSite } },
      { field: 'lat', when: { schoolType: SchoolType.examSite } },
    ],
  },
  search: ['schoolName', 'schoolCode', 'schoolType', 'level', 'province', 'enable', 'createTime'],
  actions: {
    rooms: { label: '导入考点考场', on: 'toolbar', call: 'GET getExcel?code', open: '/ticket/allot', code: 'import' },
  },
})
