import { resource } from '#engine'
import { Leave } from '../../schemas/flow/leave.ts'

export const leave = resource(Leave, {
  path: '/blade-desk/process/leave',
  route: '/work/leave',
  columns: [],
  search: ['createTime'],
})
