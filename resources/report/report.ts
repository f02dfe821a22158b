import { resource } from '#engine'
import { Report } from '../../schemas/report/report.ts'

export const report = resource(Report, {
  path: '/blade-report/report/rest',
  route: '/report/list',
  calls: { list: 'GET list' },
  can: ['view', 'remove'],
  columns: ['name', 'createTime', 'updateTime'],
  search: ['name', 'createTime'],
})
