/** One thing to set up before the first exam. */
export interface StartStep {
  readonly code: string
  readonly title: string
  /** What to do there, and why. */
  readonly help: string
  /** Page where it is done. */
  readonly route: string
  /** Permission of whoever can do it. */
  readonly permission: string
}

/** What a new installation has its administrator set up, in this order. The server says which of it is done. */
export const startSteps: readonly StartStep[] = [
  {
    code: 'organisation',
    title: '机构',
    help: '改成本单位的名称，加上下属的招聘单位',
    route: '/system/dept',
    permission: 'dept_edit',
  },
  {
    code: 'staff',
    title: '人员与角色',
    help: '为考务、审核、财务各建账号；角色已经备好，退款、取消资格等须由两人办理',
    route: '/system/user',
    permission: 'user_add',
  },
  {
    code: 'site',
    title: '系统名称与注册',
    help: '登录页显示的名称，考生能否自己注册',
    route: '/system/param',
    permission: 'param_edit',
  },
  {
    code: 'messages',
    title: '短信',
    help: '填写短信服务商的账号和模板；不发短信可以跳过',
    route: '/resource/sms',
    permission: 'sms_add',
  },
  {
    code: 'payment',
    title: '缴费渠道',
    help: '填写微信支付商户号；考试不收费可以跳过',
    route: '/pay/channel',
    permission: 'pay_channel_add',
  },
  {
    code: 'backup',
    title: '备份',
    help: '请运维人员定期备份数据库和文件，并试一次恢复；完成后在这里勾选',
    route: '/wel/dashboard',
    permission: 'param_edit',
  },
  {
    code: 'exam',
    title: '第一场考试',
    help: '新建考试，导入岗位，设置报名表，发布',
    route: '/exam/examination',
    permission: 'examination_add',
  },
]
