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
  views: { 待审核: { updateStatus: AuditStatus.pending }, 全部: {} },
  todos: {
    待审核: {
      label: '待审核的信息变更',
      needs: 'userupdateinfo_audit',
      overdue: { createTime: { before: '$today-2' } },
    },
  },
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
  removable: { when: { updateStatus: AuditStatus.pending } },
  transitions: {
    pass: {
      label: '通过申请',
      on: 'rows',
      call: 'POST pass?ids',
      confirm: '通过后立即修改该用户的资料，确定通过?',
      when: { updateStatus: AuditStatus.pending },
      guard: '没有已通过审核的报名，或由考务管理员批准',
      set: { updateStatus: AuditStatus.approved, auditUser: '$caller', auditTime: '$now', auditRemark: null },
      skipped: '已处理',
      code: 'audit',
    },
    reject: {
      label: '驳回申请',
      on: 'rows',
      call: 'POST reject?ids,remark',
      when: { updateStatus: AuditStatus.pending },
      guard: '没有流程正在办理',
      set: { updateStatus: AuditStatus.rejected, auditUser: '$caller', auditTime: '$now', auditRemark: '$reason' },
      reason: text('审核意见'),
      reasonAs: 'remark',
      skipped: '已处理',
      code: 'audit',
      danger: true,
    },
  },
})
