import { endpoint, group, list, sometimes, text, truth, words } from '#engine'

/** Whether the server can do its work; refused with 503 and the same names while it cannot. */
export const serverHealth = endpoint('http.health', 'GET /public/health', {
  title: '服务：健康检查',
  access: 'public',
  withoutDatabase: true,
  answer: group({ status: words('状态', 'up'), database: words('数据库', 'up'), disk: words('磁盘', 'up') }),
})

/** What a site is like: how one signs in and registers, what it is called, and how to try it where it is for trying. */
export const siteInfo = endpoint('http.site', 'GET /public/site', {
  title: '站点：登录与注册方式',
  access: 'public',
  answer: group({
    title: text('站点名称'),
    registerMode: truth('可以注册'),
    captchaMode: truth('需要验证码'),
    tenantMode: truth('可以选择租户'),
    switchMode: truth('可以切换角色与机构'),
    /** Whoever registers waits for staff. */
    registerAudit: truth('注册需要审核'),
    demo: truth('演示环境'),
    /** Codes can be sent to phones. */
    smsMode: truth('可以发送短信验证码'),
    /** Whoever registers proves the phone by a code. */
    registerSms: truth('注册需要短信验证码'),
    /** Where the messages of a demo installation are read; empty elsewhere. */
    smsSandbox: text('演示短信地址'),
    /** Only on a demo installation. */
    demoAccounts: list(group({ account: text('账号'), name: text('名称'), password: text('密码') })),
    /** The captcha is a picture to be read, as other Blade servers than ours give it; ours asks for a calculation. */
    captchaPicture: sometimes(truth('图片验证码')),
    /** A new phone or e-mail is confirmed by a code or the password; other Blade servers than ours ask for neither. */
    asksProof: sometimes(truth('变更联系方式需要验证')),
  }),
})
