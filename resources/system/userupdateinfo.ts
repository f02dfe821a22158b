import { resource, text } from '#engine'
import { AuditStatus } from '../../schemas/dictionaries.ts'
import { Userupdateinfo } from '../../schemas/system/userupdateinfo.ts'

export const userupdateinfo = resource(Userupdateinfo, {
  path: '/blade-userupdateinfo/userupdateinfo',
  route: '/system/userupdate',
  can: ['view', 'export'],
  columns: [
    'name',
    'realName',
    'idCard',
    { field: 'reason', width: 240 },
    'createTime',
    { field: 'updateStatus', as: 'tag' },
    'auditUser',
    'auditTime',
    'auditRemark',
  ],
  search: ['userId', 'name', 'realName', 'idCard', 'updateStatus', 'createTime'],
  owner: {
    field: 'userId',
    where: {},
    fields: [
      'name',
      'realName',
      'idCard',
      'cardFront',
      'cardBack',
      'beforeInfo',
      'afterInfo',
      'reason',
      'files',
      'updateStatus',
      'auditTime',
      'auditRemark',
    ],
  },
  actions: {
    pass: {
      label: '通过申请',
      on: 'rows',
      call: 'POST pass?ids',
      confirm: '通过后立即修改该用户的资料，确定通过?',
      when: { updateStatus: AuditStatus.pending },
      code: 'audit',
    },
    reject: {
      label: '驳回申请',
      on: 'rows',
      call: 'POST reject?ids,remark',
      ask: { remark: text('审核意见') },
      when: { updateStatus: AuditStatus.pending },
      code: 'audit',
      danger: true,
    },
  },
})
