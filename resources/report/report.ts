import { resource } from '#engine'
import { Report } from '../../schemas/report/report.ts'

export const report = resource(Report, {
  path: '/blade-report/report/rest',
  route: '/report/list',
  calls: { list: 'GET list' },
  can: ['view', 'remove'],
  columns: [{ field: 'name', width: 320 }, 'content', 'createTime', 'updateTime'],
  search: ['name', 'createTime'],
})
