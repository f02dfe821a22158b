import { resource } from '#engine'
import { Importtask } from '../../schemas/workbook/importtask.ts'

export const importtask = resource(Importtask, {
  path: '/blade-exam/importtask',
  route: '/exam/importtask',
  can: ['view'],
  columns: [
    { field: 'createTime', width: 170 },
    'bizType',
    { field: 'taskStatus', as: 'tag', width: 110 },
    'mode',
    'totalNum',
    'okNum',
    'errNum',
    'fileId',
    'errFile',
    'createUser',
  ],
  search: ['bizType', 'taskStatus', 'createUser', 'createTime'],
})
