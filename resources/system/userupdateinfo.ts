import { resource } from '#engine'
import { Userupdateinfo } from '../../schemas/system/userupdateinfo.ts'

export const userupdateinfo = resource(Userupdateinfo, {
  path: '/blade-userupdateinfo/userupdateinfo',
  route: '/system/userupdate',
  columns: ['name', 'reason', { field: 'updateStatus', as: 'tag' }, 'auditUser', 'auditTime', 'auditRemark'],
  search: ['userId', 'name', 'updateStatus', 'createTime'],
  owner: 'userId',
})
