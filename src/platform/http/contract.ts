import {
  count,
  dict,
  endpoint,
  flag,
  group,
  id,
  integer,
  list,
  maybe,
  optional,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { userType } from '#schemas/dictionaries'
import { Tenant } from '#schemas/system/tenant'

/** Whether the process lives: answered as long as its event loop turns, whatever the database does. */
export const processLive = endpoint('http.live', 'GET /public/live', {
  title: '服务：进程存活',
  access: 'public',
  withoutDatabase: true,
  answer: group({ status: words('状态', 'up') }),
})

/** Whether the process is to be given calls; refused with 503 and the reason in a word while it is not. */
export const processReady = endpoint('http.ready', 'GET /public/ready', {
  title: '服务：进程就绪',
  access: 'public',
  withoutDatabase: true,
  answer: group({ status: words('状态', 'ready') }),
})

/** Whether the server can do its work, as older clients ask; refused with 503 and the same names while it cannot. */
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
    /** Files go straight into a bucket, by an address that is asked for. */
    directUploads: sometimes(truth('文件直传')),
    /** Pages decode HEIC pictures that the browser does not know. */
    heic: sometimes(truth('读取 HEIC 照片')),
    /** The captcha is a picture to be read, as other Blade servers than ours give it; ours asks for a calculation. */
    captchaPicture: sometimes(truth('图片验证码')),
    /** A new phone or e-mail is confirmed by a code or the password; other Blade servers than ours ask for neither. */
    asksProof: sometimes(truth('变更联系方式需要验证')),
  }),
})

/** Which tenant an address belongs to; empty where it is none's. */
export const tenantInfo = endpoint('tenants.info', 'GET /blade-system/tenant/info', {
  title: '租户：按域名查找',
  access: 'public',
  values: { domain: text('域名地址') },
  answer: group({
    tenantId: sometimes(Tenant.properties.tenantId),
    tenantName: sometimes(Tenant.properties.tenantName),
    domain: sometimes(text('域名地址')),
    backgroundUrl: sometimes(text('登录背景')),
  }),
})

/** Who somebody is, in the flat words of Blade's clients. A guest of a provider elsewhere has no id and no account. */
export const sessionShape = group({
  tenant_id: text('租户编号'),
  user_id: maybe(id('用户')),
  dept_id: text('机构'),
  post_id: text('岗位'),
  role_id: text('角色'),
  oauth_id: text('第三方标识'),
  account: text('登录账号'),
  user_name: text('登录账号'),
  nick_name: text('昵称'),
  real_name: text('真实姓名'),
  role_name: text('角色别名'),
  avatar: text('头像'),
  userType: dict('用户平台', userType),
  userCode: text('用户编号'),
  license: words('授权', 'juxian'),
  detail: group({
    type: words('类型', 'web'),
    mustChangePwd: flag('须改密'),
    serverTime: integer('服务器时间'),
    roleNames: list(text('角色名称')),
    mustEnrol: sometimes(flag('须绑定动态验证码')),
  }),
})

/** A session with its two tokens, as token calls answer it. */
export const tokenShape = group({
  ...sessionShape.of,
  access_token: text('访问令牌'),
  refresh_token: text('续期令牌'),
  token_type: words('令牌类型', 'bearer'),
  expires_in: count('有效秒数'),
})

/** Where one acts, as older clients ask for it. */
export const sessionRequest = {
  tenantId: optional(text('租户编号')),
  role_id: optional(text('角色')),
  dept_id: optional(text('机构')),
  scope: optional(text('范围')),
}

/** Goes on with a session by its refresh token, which serves once. */
export const refreshToken = endpoint('auth.refresh', 'POST /blade-auth/oauth/token/refresh', {
  title: '续期登录',
  access: 'public',
  bare: true,
  values: { ...sessionRequest, grant_type: optional(text('授权类型')), refresh_token: text('续期令牌') },
  answer: tokenShape,
})

/** A calculation in the notation of ALTCHA. */
const workShape = group({
  algorithm: text('算法'),
  challenge: text('摘要'),
  salt: text('盐'),
  maxnumber: count('最大值'),
})

/** What has to be solved. */
const captchaShape = group({ key: text('编号'), image: text('图片'), work: sometimes(workShape) })

/** Proof that an attempt costs something: a picture of letters, or a calculation. Older clients read it without the envelope. */
export const captcha = endpoint('auth.captcha', 'GET /blade-auth/oauth/captcha', {
  title: '验证码',
  access: 'public',
  essential: true,
  bare: true,
  values: { kind: sometimes(words('种类', 'work')) },
  answer: group({
    code: words('状态码', 200),
    success: truth('是否成功'),
    data: captchaShape,
    msg: text('消息'),
    ...captchaShape.of,
  }),
})

/** The key for passwords, with a number that serves once. */
export const publicKey = endpoint('auth.publicKey', 'GET /blade-auth/oauth/public-key', {
  title: '加密公钥',
  access: 'public',
  essential: true,
  answer: group({
    keyId: text('密钥'),
    publicKey: text('公钥'),
    serverTime: integer('服务器时间'),
    nonce: text('一次性编号'),
  }),
})

/** Ends the session of the caller. */
export const signOut = endpoint('auth.signOut', 'GET /blade-auth/oauth/logout', {
  title: '退出登录',
  access: 'signed-in',
  beforePasswordChange: true,
  changes: true,
})

/** What a session says about its person: the flat body of the token calls without the tokens. */
export type SessionBody = Wire<typeof sessionShape>
/** The whole answer of a token call. */
export type TokenBody = Wire<typeof tokenShape>
/** A calculation to be done before a call. */
export type Work = Wire<typeof workShape>
