import { resource } from '#engine'
import { Exporttask } from '../../schemas/workbook/exporttask.ts'

export const exporttask = resource(Exporttask, {
  path: '/blade-exam/exporttask',
  route: '/exam/exporttask',
  can: ['view'],
  columns: [
    { field: 'createTime', width: 170 },
    { field: 'title', width: 180 },
    { field: 'taskStatus', as: 'tag', width: 110 },
    { field: 'rowNum', width: 180 },
    'keepUntil',
    'createUser',
    { field: 'sensitive', width: 120 },
    'reason',
    { field: 'failReason', folded: true },
    { field: 'endTime', folded: true },
    { field: 'downTime', folded: true },
    { field: 'bizType', folded: true },
  ],
  search: ['title', 'taskStatus', 'createUser', 'bizType', 'createTime'],
})
