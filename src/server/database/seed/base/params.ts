import { firstTenant, type Seeding } from './tenant.ts'

/** Parameters of a new installation: key, name, value, what it does. */
const paramsOf = ({ demo, registerMode }: { demo: boolean; registerMode: boolean }) => [
  ['site.title', '系统名称', '聚贤考试报名系统', '登录页与标题栏显示的名称'],
  ['site.register', '开放注册', String(registerMode), 'true 开放考生注册，false 关闭'],
  ['register.audit', '注册需审核', demo ? '0' : '1', '1 注册后须管理员审核，0 注册后直接可用'],
  ['consent.version', '告知书版本', '1', '《个人信息处理告知书》的当前版本'],
]

/** The parameters that are missing. */
export async function seedParams({ app, trx }: Seeding): Promise<void> {
  const found = await trx.selectFrom('param').select('paramKey').where('tenantId', '=', firstTenant).execute()
  const missing = paramsOf(app.config).filter(([key]) => !found.some(row => row.paramKey === key))
  if (missing.length === 0) return
  const rows = missing.map(([paramKey = '', paramName = '', paramValue = '', remark = '']) => ({
    ...{ tenantId: firstTenant, paramKey, paramName, paramValue, remark },
  }))
  await trx.insertInto('param').values(rows).execute()
}
