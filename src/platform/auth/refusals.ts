import type { RefusalTable } from '#engine'

/** What signing in refuses. */
export const authRefusals = {
  'auth.captchaWrong': [20001, 400, '验证码不正确', 'The captcha is wrong'],
  'auth.credentialsWrong': [20002, 400, '用户名或密码错误', 'Wrong account or password'],
  'auth.locked': [
    20003,
    400,
    '登录失败次数过多，账号已锁定，请{n}分钟后再试',
    'Too many failed attempts; the account is locked, try again in {n} minutes',
  ],
  'auth.accountDisabled': [20004, 403, '账号已停用', 'The account is disabled'],
  'auth.registrationPending': [
    20005,
    403,
    '注册申请审核中，请耐心等待管理员通过',
    'Your registration is being reviewed, please wait for the administrator',
  ],
  'auth.registrationRejected': [20006, 403, '注册申请未通过：{原因}', 'Your registration was refused: {原因}'],
  'auth.smsCodeWrong': [20007, 400, '短信验证码错误或已失效', 'The SMS code is wrong or has expired'],
  'auth.smsCodeTooSoon': [20008, 429, '发送过于频繁，请{n}秒后再试', 'Sent too often; try again in {n} seconds'],
  'auth.passwordChangeRequired': [20016, 403, '请先修改密码', 'Change your password first'],
  'auth.passwordUnreadable': [
    20017,
    400,
    '密码密文无效，请刷新页面后重试',
    'The password could not be read; reload the page and try again',
  ],
  'auth.tenantInactive': [20019, 403, '租户已停用或已到期', 'The tenant is disabled or has expired'],
  'auth.secondFactorRequired': [20030, 400, '请输入动态验证码', 'Enter the code of your authenticator app'],
  'auth.secondFactorNotSetUp': [20031, 403, '请先绑定动态验证码', 'Set up your authenticator app first'],
  'auth.secondFactorWrong': [20032, 400, '动态验证码错误或已使用', 'The code is wrong or was used already'],
  'auth.loginExpired': [
    20033,
    400,
    '登录已超时，请重新输入密码',
    'Signing in took too long; enter your password again',
  ],
  'auth.queued': [
    20034,
    503,
    '登录的人较多，前面约{人数}人，约{秒}秒',
    'Many people are signing in: about {人数} ahead of you, about {秒} seconds',
  ],
  'auth.providerLoginExpired': [
    20040,
    400,
    '第三方登录已超时或不是由本浏览器发起，请重新登录',
    'This sign-in took too long or was begun in another browser; please sign in again',
  ],
  'auth.providerAnswerInvalid': [
    20041,
    400,
    '第三方登录未通过验证，请重新登录',
    'The identity provider’s answer could not be verified; please sign in again',
  ],
  'auth.providerUnavailable': [
    20042,
    400,
    '第三方登录服务暂不可用，请稍后再试',
    'The identity provider cannot be reached; please try again later',
  ],
  'auth.identityLinked': [
    20043,
    409,
    '该第三方账号或您的账号已绑定，请先解除原绑定',
    'This identity or your account is linked already; remove the link first',
  ],
  'auth.authorizationCodeInvalid': [
    20044,
    400,
    '授权码无效、已过期或已使用，请重新授权',
    'The authorization code is invalid, expired or used; please authorize again',
  ],
  'auth.passwordRequired': [
    20050,
    400,
    '请输入登录密码，确认是本人操作',
    'Enter your sign-in password to confirm that it is you',
  ],
  'auth.passwordWrong': [20051, 400, '登录密码不正确', 'The sign-in password is wrong'],
} as const satisfies RefusalTable<'auth'>

type AuthRefusals = typeof authRefusals

declare module '#engine' {
  interface Refusals extends AuthRefusals {}
}
