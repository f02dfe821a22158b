import {
  dateTime,
  endpoint,
  flag,
  group,
  list,
  maybe,
  optional,
  pick,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { OauthSource } from '#schemas/system/oauth-source'
import { sessionRequest, sessionShape, tokenShape } from '../http/contract.ts'

/**
 * Opens a session: by password, by a code on the phone, by a provider elsewhere, by a code that a person gave a program, or by
 * the second half of any of these. Older clients name some values otherwise, for example `account` and `refreshToken`.
 */
export const token = endpoint('auth.token', 'POST /blade-auth/oauth/token', {
  title: '登录',
  access: 'public',
  essential: true,
  counted: 'login',
  bare: true,
  values: {
    ...sessionRequest,
    grant_type: optional(text('授权类型')),
    username: optional(text('账号')),
    password: optional(text('密码')),
    keyId: optional(text('密钥')),
    factorToken: optional(text('登录凭据')),
    queueTicket: optional(text('排队号')),
    phone: optional(text('手机号码')),
    codeId: optional(text('验证码编号')),
    value: optional(text('验证码')),
    source: optional(text('来源编号')),
    code: optional(text('授权码')),
    state: optional(text('状态')),
    iss: optional(text('签发地址')),
    redirect_uri: optional(text('回调地址')),
    code_verifier: optional(text('PKCE 校验码')),
    refresh_token: optional(text('续期令牌')),
  },
  answer: tokenShape,
})

/** Who the caller is, and what the caller may do. */
export const userInfo = endpoint('auth.userInfo', 'GET /blade-auth/oauth/user-info', {
  title: '当前用户',
  access: 'signed-in',
  beforePasswordChange: true,
  answer: group({ ...sessionShape.of, roles: list(text('角色别名')), permissions: list(text('权限')) }),
})

/** Asked by clients that keep answers; here nothing is kept. */
export const clearCache = endpoint('auth.clearCache', 'GET /blade-auth/oauth/clear-cache', {
  title: '清除缓存',
  access: 'signed-in',
  changes: true,
})

const request = {
  response_type: optional(text('响应类型')),
  client_id: optional(text('应用编号')),
  redirect_uri: optional(text('回调地址')),
  scope: optional(text('范围')),
  state: optional(text('状态')),
  code_challenge: optional(text('PKCE 摘要')),
  code_challenge_method: optional(text('PKCE 方式')),
}

/** Where programs elsewhere send the browser of a person whom they want to act for; goes on to the page that asks. */
export const authorize = endpoint('auth.authorize', 'GET /blade-auth/oauth/authorize', {
  title: '授权登录：进入',
  access: 'public',
  values: request,
})

/** What a program asks a person for. */
export const authorization = endpoint('auth.authorization', 'GET /blade-auth/oauth/authorize/ask', {
  title: '授权登录：查看',
  access: 'signed-in',
  values: request,
  answer: group({ clientId: text('应用编号'), scope: text('范围'), host: text('主机') }),
})

/** Lets a program act for the caller, or does not. */
export const decideAuthorization = endpoint('auth.decideAuthorization', 'POST /blade-auth/oauth/authorize', {
  title: '授权登录：同意或拒绝',
  access: 'signed-in',
  values: { ...request, approved: truth('是否同意') },
  answer: group({ address: text('地址') }),
})

/** Providers that people of a tenant may sign in with. */
export const outsideSources = endpoint('auth.sources', 'GET /blade-auth/oauth/sources', {
  title: '第三方登录：可用的',
  access: 'public',
  values: { tenantId: optional(text('租户编号')) },
  answer: list(pick(OauthSource, 'source', 'sourceName')),
})

/** Leaves for a provider to sign in there. */
export const signInOutside = endpoint('auth.signInOutside', 'GET /blade-auth/oauth/render/:source', {
  title: '第三方登录：前往',
  access: 'public',
  values: { source: text('来源编号'), tenantId: optional(text('租户编号')) },
})

const linkShape = group({
  ...pick(OauthSource, 'source', 'sourceName').of,
  linked: flag('是否已绑定'),
  nickname: maybe(text('昵称')),
  createTime: optional(dateTime('绑定时间')),
})

/** The providers of the caller's tenant, and what of each is linked to the caller's account. */
export const outsideLinks = endpoint('auth.links', 'GET /blade-auth/oauth/bindings', {
  title: '第三方账号：查看',
  access: 'signed-in',
  answer: list(linkShape),
})

/** Begins to link an identity of a provider: asks for the password, and answers where to go. */
export const beginLink = endpoint('auth.beginLink', 'POST /blade-auth/oauth/bind/:source', {
  title: '第三方账号：前往绑定',
  access: 'signed-in',
  values: { source: text('来源编号'), password: optional(text('密码')), keyId: optional(text('密钥')) },
  answer: group({ address: text('地址') }),
})

/** Links what the caller brought back from a provider. */
export const finishLink = endpoint('auth.finishLink', 'POST /blade-auth/oauth/bind', {
  title: '第三方账号：绑定',
  access: 'signed-in',
  values: {
    source: text('来源编号'),
    code: optional(text('授权码')),
    state: optional(text('状态')),
    iss: optional(text('签发地址')),
  },
})

/** Ends that an identity of a provider signs in as the caller. */
export const unlinkOutside = endpoint('auth.unlink', 'POST /blade-auth/oauth/unbind/:source', {
  title: '第三方账号：解除绑定',
  access: 'signed-in',
  values: { source: text('来源编号') },
})

/** Makes the account of a third-party login that waits for one. */
export const registerGuest = endpoint('auth.registerGuest', 'POST /blade-system/user/register-guest', {
  title: '第三方登录注册',
  access: 'public',
  values: {
    tenantId: text('租户编号'),
    name: text('用户姓名'),
    account: text('账号名称'),
    password: text('账号密码'),
    keyId: optional(text('密钥')),
    oauthId: text('第三方标识'),
  },
})

const purpose = words('用途', 'login', 'register', 'phone', 'password')

/** Sends a code to a phone. The answer is the same whether or not anybody has the number. */
export const sendPhoneCode = endpoint('auth.sendPhoneCode', 'POST /blade-auth/oauth/sms/send-validate', {
  title: '发送短信验证码',
  access: 'public',
  values: { tenantId: optional(text('租户编号')), phone: text('手机号码'), purpose: sometimes(purpose) },
  answer: group({ id: text('验证码编号') }),
})

/** What a code is good for; one sent for one thing proves nothing for another. */
export const codePurposes = purpose.of
/** One of {@link codePurposes}. */
export type CodePurpose = Wire<typeof purpose>
/** A provider, and what of it is linked to the caller's account. */
export type OutsideLink = Wire<typeof linkShape>
