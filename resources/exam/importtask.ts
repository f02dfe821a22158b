import { resource } from '#engine'
import { Importtask } from '../../schemas/exam/importtask.ts'

export const importtask = resource(Importtask, {
  path: '/blade-exam/importtask',
  route: '/exam/importtask',
  can: ['view'],
  columns: ['bizType', 'mode', 'totalNum', 'okNum', 'errNum', { field: 'taskStatus', as: 'tag' }],
  search: ['bizType', 'taskStatus', 'createTime'],
})
