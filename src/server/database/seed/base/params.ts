import { firstTenant } from '../../../domain/first-tenant.ts'
import type { Seeding } from './tenant.ts'

/** Said of parameters that hold for the whole installation. */
const platform = '只有平台租户的值有效'
const hosts = `主机名或主机名:端口，多个用逗号分隔；-表示都不允许；${platform}`

/** Parameters of a new installation: key, name, value, what it does. */
const paramsOf = ({ demo, registerMode }: { demo: boolean; registerMode: boolean }) => [
  ['site.title', '系统名称', '聚贤考试报名系统', '登录页与标题栏显示的名称'],
  ['site.register', '开放注册', String(registerMode), 'true 开放考生注册，false 关闭'],
  ['register.audit', '注册需审核', demo ? '0' : '1', '1 注册后须管理员审核，0 注册后直接可用'],
  ['register.sms', '注册短信验证', 'auto', 'auto 已启用短信时需要，1 需要，0 不需要'],
  [
    'login.secondFactor',
    '双因素登录',
    'optional',
    'off 关闭，optional 自愿，required 工作人员必须；或写必须使用的角色别名，用逗号分隔',
  ],
  ['log.api.days', '接口日志保留天数', '180', '不少于180天，过期自动删除；审计日志不删除'],
  ['log.error.days', '错误日志保留天数', '180', '不少于180天，过期自动删除'],
  ['log.usual.days', '通用日志保留天数', '180', '不少于180天，过期自动删除'],
  ['job.hosts', '任务服务器允许的主机', '-', hosts],
  ['develop.hosts', '数据源允许的主机', '-', hosts],
  [
    'oauth.hosts',
    '第三方登录允许的内网主机',
    '-',
    `内网或非 https 的登录服务，主机名或主机名:端口，多个用逗号分隔；公网 https 不必列出；${platform}`,
  ],
  ['oss.hosts', '对象存储允许的主机', '-', hosts],
  ['scan.address', '病毒扫描服务', '-', `ClamAV 守护进程的主机名:端口；-表示没有；${platform}`],
  ['sms.dailyCodes', '每日验证码上限', '5000', '本机构一天最多发送的短信验证码条数'],
  ['sms.dailyFen', '每日短信费用上限', '200000', '单位分；达到后当天不再发送，并在日志中告警'],
  ['sms.unitFen', '短信单价', '5', '单位分；按它计算当天的短信费用'],
  ['pay.graceMinutes', '缴费到账宽限', '30', '缴费截止后多少分钟内到账仍然有效'],
  ['export.days', '导出文件保留天数', '7', '后台导出的文件保留几天（1至30），到期自动删除'],
  [
    'map.search',
    '地图搜索地址',
    'https://uri.amap.com/search?keyword={keyword}',
    'https 开头，{keyword} 处换成地址与名称，不得含密钥；- 表示不显示地图',
  ],
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
