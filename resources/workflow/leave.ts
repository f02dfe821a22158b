import { resource } from '#engine'
import { Leave } from '../../schemas/workflow/leave.ts'

export const leave = resource(Leave, {
  path: '/blade-desk/process/leave',
  route: '/work/leave',
  can: ['view'],
  columns: ['reason', 'createUser', 'startTime', 'endTime', 'taskUser', 'applyTime'],
  search: ['createUser', 'taskUser', 'startTime', 'createTime'],
})
