import { resource, text, through } from '#engine'
import { Datapurgeline } from '../../schemas/exams/datapurgeline.ts'

export const datapurgeline = resource(Datapurgeline, {
  path: '/blade-exam/datapurgeline',
  route: '/exam/purge-line',
  menu: false,
  can: ['view'],
  derived: { title: text('数据名称'), labels: text('字段名称'), ground: text('依据') },
  columns: ['title', 'labels', 'deed', 'rowNum', 'doneNum', 'leftNum', 'fileKB', 'oldest', 'ground'],
  search: ['purgeId', 'deed', 'createTime'],
  sort: 'sort',
  scope: through('purgeId'),
})
