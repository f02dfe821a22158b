import { resource, text } from '#engine'
import { AuditStatus } from '../../schemas/dictionaries.ts'
import { Userupdateinfo } from '../../schemas/system/userupdateinfo.ts'

export const userupdateinfo = resource(Userupdateinfo, {
  path: '/blade-userupdateinfo/userupdateinfo',
  route: '/system/userupdate',
  can: ['view', 'export'],
  columns: [
    { field: 'name', with: ['realName'], width: 150 },
    { field: 'idCard', width: 180 },
    { field: 'reason', width: 220 },
    { field: 'createTime', card: true, width: 112 },
    { field: 'updateStatus', as: 'tag', width: 110 },
    { field: 'auditUser', with: ['auditTime'], width: 120 },
    { field: 'auditRemark', folded: true },
  ],
  empty: { text: '没有信息变更申请' },
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
