import { dateTime, dict, group, image, integer, resource, sometimes, text } from '#engine'
import { AuditStatus, accountStatus } from '../../schemas/dictionaries.ts'
import { Idclaim } from '../../schemas/system/idclaim.ts'

/** What is shown of the account that has the number, beside the claim's own papers. */
const holder = {
  holderAccount: text('现持有账号'),
  holderName: text('现持有人姓名'),
  holderPhone: text('现持有人手机号码'),
  holderStatus: dict('现持有账号状态', accountStatus),
  holderSince: dateTime('现持有账号注册时间'),
  holderLogin: dateTime('现持有账号最近登录'),
  holderSignups: integer('现持有账号有效报名数'),
  holderFront: image('现持有账号身份证人像面'),
  holderBack: image('现持有账号身份证国徽面'),
}

/** What whoever decides is told, unless the claim was decided so before. */
const told = group({ msg: sometimes(text('说明')) })

export const idclaim = resource(Idclaim, {
  path: '/blade-system/idclaim',
  route: '/system/idclaim',
  can: ['view'],
  derived: holder,
  columns: [
    { field: 'realName', with: ['account', 'phone'], width: 150 },
    { field: 'idCard', width: 180 },
    { field: 'reason', width: 200 },
    { field: 'createTime', card: true, width: 112 },
    { field: 'claimStatus', as: 'tag', width: 110 },
    { field: 'holderName', with: ['holderAccount'], width: 150 },
    ...(['holderPhone', 'holderStatus', 'holderSince', 'holderLogin', 'holderSignups'] as const).map(
      field => ({ field, folded: true }) as const,
    ),
    ...(['holderFront', 'holderBack'] as const).map(field => ({ field, folded: true }) as const),
    { field: 'auditUser', with: ['auditTime'], folded: true },
    { field: 'auditRemark', folded: true },
  ],
  main: ['pass', 'reject'],
  empty: { text: '没有证件号认领申请' },
  search: ['realName', 'idCard', 'phone', 'account', 'claimStatus', 'createTime'],
  views: { 待审核: { claimStatus: AuditStatus.pending }, 全部: {} },
  todos: {
    待审核: { label: '待审核的证件号认领', needs: 'idclaim_audit', overdue: { createTime: { before: '$today-2' } } },
  },
  actions: {
    pass: {
      label: '通过认领',
      call: 'POST pass?id',
      confirm:
        '请先在详情中核对证件照片与现持有账号的资料。通过后证件号码归申请人，原账号立即停用并退出登录，其未审核的报名作废，确定通过?',
      when: { claimStatus: AuditStatus.pending },
      answer: told,
      code: 'audit',
    },
    reject: {
      label: '驳回认领',
      call: 'POST reject?id,remark',
      ask: { remark: text('驳回原因', { help: '申请人查询时可以看到' }) },
      when: { claimStatus: AuditStatus.pending },
      answer: told,
      code: 'audit',
      danger: true,
    },
  },
})
