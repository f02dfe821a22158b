import { resource } from '#engine'
import { Exporttask } from '../../schemas/exam/exporttask.ts'

export const exporttask = resource(Exporttask, {
  path: '/blade-exam/exporttask',
  route: '/exam/exporttask',
  can: ['view'],
  columns: ['bizType', 'rowNum', 'sensitive', 'reason', { field: 'taskStatus', as: 'tag' }],
  search: ['bizType', 'taskStatus', 'createTime'],
})
