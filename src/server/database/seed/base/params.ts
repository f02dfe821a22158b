import { firstTenant, type Seeding } from './tenant.ts'

/** Parameters of a new installation: key, name, value, what it does. */
const paramsOf = ({ demo, registerMode }: { demo: boolean; registerMode: boolean }) => [
  ['site.title', '系统名称', '聚贤考试报名系统', '登录页与标题栏显示的名称'],
  ['site.register', '开放注册', String(registerMode), 'true 开放考生注册，false 关闭'],
  ['register.audit', '注册需审核', demo ? '0' : '1', '1 注册后须管理员审核，0 注册后直接可用'],
  ['log.api.days', '接口日志保留天数', '180', '不少于180天，过期自动删除；审计日志不删除'],
  ['log.error.days', '错误日志保留天数', '180', '不少于180天，过期自动删除'],
  ['log.usual.days', '通用日志保留天数', '180', '不少于180天，过期自动删除'],
  ['job.hosts', '任务服务器允许的主机', '-', '主机名或主机名:端口，多个用逗号分隔；-表示都不允许'],
  ['develop.hosts', '数据源允许的主机', '-', '主机名或主机名:端口，多个用逗号分隔；-表示都不允许'],
  ['sms.dailyCodes', '每日验证码上限', '5000', '本机构一天最多发送的短信验证码条数'],
  ['pay.graceMinutes', '缴费到账宽限', '30', '缴费截止后多少分钟内到账仍然有效'],
  ['consent.version', '告知书版本', '1', '《个人信息处理告知书》的当前版本'],
]

/** Keys of the parameters the program asks for. */
export const paramKeys: readonly string[] = paramsOf({ demo: false, registerMode: false }).map(([key = '']) => key)

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
