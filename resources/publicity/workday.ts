import { resource, wide } from '#engine'
import { WorkdayKind } from '../../schemas/dictionaries.ts'
import { Workday } from '../../schemas/publicity/workday.ts'

export const workday = resource(Workday, {
  path: '/blade-publicity/workday',
  route: '/publicity/workday',
  can: ['view', 'add', 'edit', 'remove', 'export', 'import'],
  columns: [
    { field: 'day', width: 160 },
    { field: 'workdayKind', as: 'tag', width: 140 },
    { field: 'dayName', width: 220 },
    { field: 'updateUser', width: 160 },
    { field: 'updateTime', width: 160 },
  ],
  views: {
    全部: {},
    放假: { workdayKind: WorkdayKind.holiday },
    调休上班: { workdayKind: WorkdayKind.shifted },
  },
  empty: { text: '还没有节假日安排，请按国务院办公厅通知逐年导入', next: { 导入: 'import', 新增: 'add' } },
  search: ['day', 'workdayKind', 'dayName', 'createTime'],
  form: ['day', 'workdayKind', 'dayName'],
  scope: wide('holidays are the same for every exam'),
  sort: '-day',
})
