import { resource } from '#engine'
import { Exporttask } from '../../schemas/exam/exporttask.ts'

export const exporttask = resource(Exporttask, {
  path: '/blade-exam/exporttask',
  route: '/exam/exporttask',
  can: ['view'],
  columns: ['createTime', 'createUser', 'bizType', 'rowNum', 'sensitive', 'reason', { field: 'taskStatus', as: 'tag' }],
  search: ['createUser', 'bizType', 'taskStatus', 'createTime'],
})
