import { firstTenant } from '../../../database/first-tenant.ts'
import type { Seeding } from './tenant.ts'

/** A role of a new installation. */
interface SeedRole {
  id: string
  alias: string
  name: string
  /** May enter the console. */
  isBack: 0 | 1
  /**
   * What it may do, as codes of menus, pages and buttons. A menu or page brings everything below it, `code!` only itself;
   * what stands above comes along. `*` is everything of the console, a leading `-` takes away again.
   */
  grants: string
}

const role = (number: number, alias: string, name: string, grants: string, isBack: 0 | 1 = 1): SeedRole => ({
  id: `11000000000000001${String(number).padStart(2, '0')}`,
  alias,
  name,
  grants,
  isBack,
})

/** Deciding on a sign-up: administrators see everything and decide nothing here. */
const noReview = '-examine_act -examine_revoke -examine_recheck -signup_revoke'

/** Asking for a leave and deciding on what processes bring one. */
const processes = 'work_start work_claim work_todo work_send work_done work_copy'

/** Roles that every installation begins with. They cannot be removed. */
export const roles: readonly SeedRole[] = [
  role(1, 'administrator', '超级管理员', `* ${noReview} -signup_strike -signup_restore`),
  role(
    2,
    'admin',
    '机构管理员',
    `* ${noReview} -menu -system_health -job -code -datasource -model -model_prototype -client -tenant -tenant_package -topmenu -data_scope_add -data_scope_edit -data_scope_delete -data_scope_setting -api_scope_add -api_scope_edit -api_scope_delete -api_scope_setting -dict_add -dict_edit -dict_delete -region_add -region_edit -region_delete`,
  ),
  role(
    3,
    'exam_admin',
    '考务管理员',
    `wel dashboard userupdateinfo savedview! savedview_view savedview_share exam -examination_archive -datapurge -datapurgeline -datahold -examarchive -examinationitem_recallPay signup -signup_restore examinetip examinelog signuplog reduction -reduction_confirm ticket result_menu publicity_menu statistics_menu notice_menu send_menu -sendpay_sure -sendpackages_add -sendpackages_edit -sendpackages_delete -sendpackages_shelf ${processes}`,
  ),
  role(
    4,
    'reviewer',
    '初审员',
    `wel dashboard examine_list examine_move examine_done examinetip signup! signup_view signup_review signup_reveal examinelog statistics! ${processes}`,
  ),
  role(
    5,
    'rechecker',
    '复审员',
    `wel dashboard examine_review examine_done examinetip signup! signup_view signup_review signup_reveal examinelog statistics! ${processes}`,
  ),
  role(6, 'finance', '财务', `wel dashboard pay -pay_channel ${processes}`),
  role(7, 'proctor', '监考', 'wel dashboard checkin -checkin_appoint'),
  role(
    8,
    'operator',
    '平台运营',
    `wel dashboard sendpackages sendpay! sendpay_view sendpay_sure sendledger sms mail wechat ${processes}`,
  ),
  role(9, 'auditor', '审计员', 'wel dashboard log examinelog! examinelog_view signuplog! signuplog_view'),
  role(10, 'candidate', '考生', 'my_home my_exam my_signup my_pay my_ticket my_score my_notice my_info', 0),
  role(11, 'guest', '待审核', '', 0),
]

/** Ids of the first tenant's roles by alias. */
export const roleIds: Readonly<Record<string, string>> = Object.fromEntries(roles.map(({ alias, id }) => [alias, id]))

/** The roles that are missing. */
export async function seedRoles({ trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('role').select('id').execute()
  const missing = roles.filter(one => !found.some(row => row.id === one.id))
  if (missing.length === 0) return
  const rows = missing.map(({ id, alias, name, isBack }) => ({
    id,
    tenantId: firstTenant,
    roleName: name,
    roleAlias: alias,
    isBack,
    sort: roles.findIndex(one => one.id === id) + 1,
  }))
  await trx.insertInto('role').values(rows).execute()
}
