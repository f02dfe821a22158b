import type { RefusalTable } from '#engine'

/** What accounts refuse. */
export const accountsRefusals = {
  'accounts.passwordTooWeak': [20009, 400, '密码强度不足：{要求}', 'The password is too weak: {要求}'],
  'accounts.oldPasswordWrong': [20010, 400, '原密码不正确', 'The old password is wrong'],
  'accounts.registrationClosed': [20011, 403, '系统未开放注册', 'Registration is closed'],
  'accounts.usernameTaken': [20012, 409, '该账号已存在', 'This account exists already'],
  'accounts.idCardTaken': [
    20013,
    409,
    '该证件号码已注册，请直接登录或找回密码',
    'This ID number is registered already; log in or recover your password',
  ],
  'accounts.phoneTaken': [20014, 409, '该手机号码已注册', 'This phone number is registered already'],
  'accounts.passwordsDiffer': [20015, 400, '两次密码输入不一致', 'The two passwords differ'],
  'accounts.emailNeedsPassword': [
    20052,
    400,
    '更换电子邮箱须确认是本人，请输入登录密码',
    'To change the e-mail address, confirm that it is you: enter your sign-in password',
  ],
  'accounts.idCardUnknown': [
    20053,
    409,
    '该证件号码没有被注册，请直接注册',
    'This ID number is not registered; register with it',
  ],
  'accounts.claimPending': [
    20054,
    409,
    '该证件号码已有认领申请正在审核，请等待结果',
    'A claim of this ID number is being reviewed; please wait for its outcome',
  ],
  'accounts.mailCodeWrong': [20060, 400, '邮箱验证码错误或已失效', 'The code is wrong or has expired'],
  'accounts.wechatCodeWrong': [20061, 400, '微信确认码错误或已失效', 'The code from WeChat is wrong or has expired'],
  'accounts.claimBlocked': [
    20055,
    409,
    '原账号有已通过审核、已缴费或已出准考证的报名，不能通过认领；请考务先核实并取消该报名的资格',
    'The present account has a sign-up that has passed review, was paid or has an admission ticket, so the claim cannot be passed; have the examination office check it and disqualify that sign-up first',
  ],
} as const satisfies RefusalTable<'accounts'>

type AccountsRefusals = typeof accountsRefusals

declare module '#engine' {
  interface Refusals extends AccountsRefusals {}
}
