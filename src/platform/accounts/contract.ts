import {
  type AnswerOf,
  backgroundDownload,
  count,
  dateTime,
  download,
  endpoint,
  group,
  id,
  list,
  maybe,
  openGroup,
  optional,
  pick,
  secret,
  sheetTotalsShape,
  sheetUpload,
  sometimes,
  text,
  truth,
  type Upload,
  words,
} from '#engine'
import { Idclaim } from '#schemas/system/idclaim'
import { User } from '#schemas/system/user'
import { Userupdateinfo } from '#schemas/system/userupdateinfo'
import { tokenShape } from '../http/contract.ts'

/** A form about a person: fields of any kind, and pictures `avatar`, `cardFront` and `cardBack`. */
const personForm = { files: 3, KB: 5 * 1024 } as const satisfies Upload

const keyId = optional(text('密钥', { maxLength: 40 }))
/** A password in cipher text, or plain from clients that know no key. */
const password = (title: string) => secret(title, { minLength: 1, maxLength: 4096 })

/** What a person sees of the own account; phone and ID number masked. */
const profileShape = group({
  id: id('编号'),
  tenantId: text('租户编号'),
  ...pick(User, 'account', 'name', 'realName', 'email', 'avatar', 'userType', 'code', 'idType', 'sex', 'birthday').of,
  ...pick(User, 'roleId', 'deptId', 'postId', 'accountStatus', 'mustChangePwd', 'pwdUpdateTime', 'lastLoginTime').of,
  createTime: dateTime('创建时间'),
  phone: text('手机号码'),
  idCard: text('证件号码'),
  roleName: text('角色名称'),
  deptName: text('机构名称'),
})

/** What the caller sees of the own account. */
export const ownProfile = endpoint('accounts.profile', 'GET /blade-system/user/info', {
  title: '个人信息：查看',
  access: 'signed-in',
  beforePasswordChange: true,
  answer: profileShape,
})

const change = {
  name: optional(text('昵称', { maxLength: 20 })),
  realName: optional(text('真实姓名', { maxLength: 20 })),
  phone: optional(text('手机号码', { maxLength: 20 })),
  email: sometimes(maybe(text('电子邮箱', { maxLength: 100, format: 'email' }))),
  avatar: optional(text('头像', { maxLength: 20 })),
  codeId: optional(text('验证码编号', { maxLength: 64 })),
  smsCode: optional(text('短信验证码', { maxLength: 10 })),
  password: optional(secret('密码', { maxLength: 4096 })),
  keyId,
}

/** Changes the caller's own data. A new phone takes a code sent to it, another e-mail the password. */
export const changeProfile = endpoint('accounts.changeProfile', 'POST /blade-system/user/update-info', {
  title: '个人信息：修改',
  access: 'signed-in',
  openBody: true,
  body: change,
  answer: profileShape,
})

const channel = words('渠道', 'sms', 'mail', 'wechat')

/** By which ways beside the inbox the caller can be reached, and which the caller wants. */
export const ownChannels = endpoint('accounts.channels', 'GET /blade-system/user/channels', {
  title: '消息接收：查看',
  access: 'signed-in',
  answer: list(
    group({
      channel,
      /** Masked; empty where there is none. */
      address: text('接收地址'),
      /** Whether the tenant sends by it at all. */
      isOffered: truth('是否开通'),
      isOn: truth('是否接收'),
      isConfirmed: truth('是否已确认'),
      /** Why the address takes no messages. */
      problem: text('退信原因'),
      /** Where messages of a demonstration are read. */
      sandbox: text('演示地址'),
      /** When it was confirmed, where that is known. */
      confirmTime: maybe(dateTime('确认时间')),
    }),
  ),
})

/** Switches a way to be reached on or off for the caller; what must be told is told all the same. */
export const chooseChannel = endpoint('accounts.chooseChannel', 'POST /blade-system/user/choose-channel', {
  title: '消息接收：开关',
  access: 'signed-in',
  body: { channel, isOn: truth('是否接收') },
})

/** Sends a code to the caller's own e-mail address. */
export const sendEmailCode = endpoint('accounts.sendEmailCode', 'POST /blade-system/user/send-email-code', {
  title: '消息接收：发送邮箱验证码',
  access: 'signed-in',
  answer: group({ id: text('验证码编号') }),
})

/** Proves by a code that the caller reads the own e-mail address. */
export const confirmEmail = endpoint('accounts.confirmEmail', 'POST /blade-system/user/confirm-email', {
  title: '消息接收：确认邮箱',
  access: 'signed-in',
  body: { codeId: text('验证码编号', { maxLength: 64 }), code: text('邮箱验证码', { maxLength: 10 }) },
})

/** Makes a QR code by which the caller binds a WeChat; whoever has bound one proves by the password that another is meant. */
export const beginWechat = endpoint('accounts.beginWechat', 'POST /blade-system/user/begin-wechat', {
  title: '消息接收：微信绑定二维码',
  access: 'signed-in',
  body: { password: optional(secret('密码', { maxLength: 4096 })), keyId },
  answer: group({
    id: text('二维码编号'),
    /** What the picture says. */
    url: text('二维码内容'),
    until: dateTime('有效期至'),
    /** Where whoever is inside WeChat already is led to instead, and back with a code. */
    inside: text('微信内地址'),
    /** Where a phone of a demonstration scans it. */
    sandbox: text('演示地址'),
  }),
})

/** How it stands with a QR code of the caller's. */
export const wechatTicket = endpoint('accounts.wechatTicket', 'GET /blade-system/user/wechat-ticket', {
  title: '消息接收：微信绑定进度',
  access: 'signed-in',
  quiet: true,
  query: { id: text('二维码编号', { maxLength: 64 }) },
  answer: group({ state: words('进度', 'waiting', 'scanned', 'over') }),
})

/** Binds the WeChat that has scanned the caller's QR code, by the code that it was told. */
export const confirmWechat = endpoint('accounts.confirmWechat', 'POST /blade-system/user/confirm-wechat', {
  title: '消息接收：确认绑定微信',
  access: 'signed-in',
  body: { id: text('二维码编号', { maxLength: 64 }), code: text('确认码', { maxLength: 10 }) },
})

/** Binds the WeChat in which the caller is, by what it led back with to the page that had asked. */
export const confirmVisit = endpoint('accounts.confirmVisit', 'POST /blade-system/user/confirm-wechat-visit', {
  title: '消息接收：在微信内确认绑定',
  access: 'signed-in',
  body: { id: text('二维码编号', { maxLength: 64 }), code: text('授权码', { maxLength: 512 }) },
})

/** Forgets the WeChat of the caller. */
export const unbindWechat = endpoint('accounts.unbindWechat', 'POST /blade-system/user/unbind-wechat', {
  title: '消息接收：解除绑定微信',
  access: 'signed-in',
})

/** By which ways the caller can be reached. */
export type OwnChannels = AnswerOf<typeof ownChannels>

/** Changes the caller's own password. Older clients put everything into the address. */
export const changePassword = endpoint('accounts.changePassword', 'POST /blade-system/user/update-password', {
  title: '个人信息：修改密码',
  access: 'signed-in',
  beforePasswordChange: true,
  openBody: true,
  body: {
    oldPassword: password('原密码'),
    newPassword: password('新密码'),
    newPassword1: password('确认密码'),
    keyId,
  },
})

/** Changes the caller's own data by one form: what stands on the ID card of a candidate becomes a request. */
export const changeOwnData = endpoint('accounts.changeOwnData', 'POST /blade-system/user/userUpdate', {
  title: '个人信息：修改或申请变更',
  access: 'signed-in',
  upload: personForm,
  values: {
    ...change,
    idCard: optional(text('证件号码')),
    reason: optional(text('变更原因')),
  },
  answer: profileShape,
})

const changeFields = pick(Userupdateinfo, 'realName', 'idCard', 'cardFront', 'cardBack', 'reason', 'files').of

/** A candidate asks for what stands on the ID card to be changed. */
export const askForChange = endpoint('accounts.askForChange', 'POST /blade-userupdateinfo/userupdateinfo/submit', {
  title: '信息变更申请：提交',
  access: 'candidate',
  values: changeFields,
})

/** A candidate takes such a request back. */
export const withdrawChange = endpoint('accounts.withdrawChange', 'POST /blade-userupdateinfo/userupdateinfo/remove', {
  title: '信息变更申请：撤回',
  access: 'candidate',
  query: { ids: sometimes(text('编号')) },
  values: { ids: text('编号') },
})

const applicant = {
  username: text('登录账号'),
  realName: text('真实姓名'),
  phone: text('手机号码'),
  idType: text('证件类型'),
  idCard: text('证件号码'),
}

const registration = {
  ...applicant,
  tenantId: optional(text('租户编号')),
  password: text('密码'),
  password2: text('确认密码'),
  keyId,
  smsCode: optional(text('短信验证码')),
  codeId: optional(text('验证码编号')),
  consentVersion: text('告知书版本'),
}

/** Makes the account of a candidate. Whoever need not wait for an administrator is signed in. */
export const register = endpoint('accounts.register', 'POST /blade-system/user/register', {
  title: '注册',
  access: 'public',
  upload: personForm,
  values: registration,
  answer: group({
    userId: id('用户'),
    accountStatus: User.properties.accountStatus,
    session: sometimes(tokenShape),
  }),
})

/** Claims an ID number that another account has. */
export const claimNumber = endpoint('accounts.claim', 'POST /blade-system/user/claim', {
  title: '证件号认领：申请',
  access: 'public',
  upload: personForm,
  values: { ...registration, reason: text('认领说明') },
  answer: group({ claimId: id('认领编号') }),
})

/** Where a claim stands, for whoever knows its number and phone. */
export const claimState = endpoint('accounts.claimState', 'POST /blade-system/user/claim-state', {
  title: '证件号认领：进度',
  access: 'public',
  values: { tenantId: optional(text('租户编号')), claimId: id('认领编号'), phone: text('手机号码') },
  answer: pick(Idclaim, 'claimStatus', 'auditRemark', 'account'),
})

const provedPhone = {
  tenantId: optional(text('租户编号')),
  phone: text('手机号码'),
  codeId: text('验证码编号'),
  smsCode: text('短信验证码'),
}

/** Which account gets a new password, for whoever has the code that was sent to its phone. */
export const findAccount = endpoint('accounts.findAccount', 'POST /blade-system/user/find-account', {
  title: '找回密码：查找账号',
  access: 'public',
  values: provedPhone,
  answer: pick(User, 'account', 'userType'),
})

/** Gives whoever has that code a new password. */
export const findPassword = endpoint('accounts.findPassword', 'POST /blade-system/user/find-password', {
  title: '找回密码：设置新密码',
  access: 'public',
  values: { ...provedPhone, password: text('新密码'), password2: text('确认密码'), keyId },
  answer: pick(User, 'account'),
})

const proof = {
  password: password('密码'),
  keyId,
  value: optional(secret('动态验证码', { maxLength: 20 })),
}

/** What the caller may know of the own second factor. */
export const factorState = endpoint('accounts.factor', 'GET /blade-system/user/second-factor', {
  title: '动态验证码：查看',
  access: 'signed-in',
  beforePasswordChange: true,
  answer: group({
    isOffered: truth('是否可以绑定'),
    isRequired: truth('是否必须绑定'),
    isEnrolled: truth('是否已绑定'),
    recoveryLeft: count('剩余恢复码'),
  }),
})

/** Begins to set up a second factor: the secret to type, and the same as an address to photograph. */
export const beginFactor = endpoint('accounts.beginFactor', 'POST /blade-system/user/second-factor/begin', {
  title: '动态验证码：开始绑定',
  access: 'signed-in',
  beforePasswordChange: true,
  openBody: true,
  body: proof,
  answer: group({ secret: text('密钥'), uri: text('地址') }),
})

/** Sets it up by a first code of the app, and answers the recovery codes, which are shown this once. */
export const confirmFactor = endpoint('accounts.confirmFactor', 'POST /blade-system/user/second-factor/confirm', {
  title: '动态验证码：确认绑定',
  access: 'signed-in',
  beforePasswordChange: true,
  openBody: true,
  body: { value: secret('动态验证码', { minLength: 6, maxLength: 20 }) },
  answer: group({ recoveryCodes: list(text('恢复码')) }),
})

/** Takes the caller's own second factor away. */
export const removeFactor = endpoint('accounts.removeFactor', 'POST /blade-system/user/second-factor/remove', {
  title: '动态验证码：停用',
  access: 'signed-in',
  beforePasswordChange: true,
  openBody: true,
  body: proof,
})

/** Changes an account, by the name that older clients have for it. */
export const updateUser = endpoint('accounts.update', 'POST /blade-system/user/update', {
  title: '用户：修改',
  access: ['user_edit'],
  values: { id: id('编号'), ...pick(User, 'realName', 'phone', 'email', 'roleId', 'deptId', 'postId').of },
})

/** Staff make an account for a candidate who cannot register. Its password is shown once. */
export const addCandidate = endpoint('accounts.addCandidate', 'POST /blade-system/user/saveUser', {
  title: '用户：新增考生',
  access: ['user_add', 'examuser_add'],
  upload: personForm,
  values: applicant,
  answer: group({ id: id('编号'), oneTimePassword: text('一次性密码') }),
})

/** The list of accounts as a workbook, by the name that older clients have for it. */
export const exportUsers = endpoint('accounts.export', 'GET /blade-system/user/export-user', {
  title: '用户：导出',
  access: ['user_export'],
  answer: backgroundDownload('xlsx'),
})

/** The workbook to fill accounts into. */
export const userTemplate = endpoint('accounts.template', 'GET /blade-system/user/export-template', {
  title: '用户：导入模板',
  access: ['user_import'],
  answer: download('xlsx'),
})

/** Takes in a workbook of accounts. */
export const importUsers = endpoint('accounts.import', 'POST /blade-system/user/import-user', {
  title: '用户：导入',
  access: ['user_import'],
  work: 'import',
  upload: sheetUpload,
  answer: sheetTotalsShape,
})

const userId = { userId: optional(id('用户')), id: optional(id('用户')) }

/** Which platform a person belongs to, with what is noted about the person there. */
export const platformOf = endpoint('accounts.platform', 'GET /blade-system/user/platform-detail', {
  title: '用户：平台配置',
  access: ['user_platform'],
  values: userId,
  answer: group({
    id: id('编号'),
    ...pick(User, 'account', 'name', 'realName', 'userType').of,
    userExt: openGroup({}),
  }),
})

/** Puts a person on another platform, and notes what belongs to it. */
export const changePlatform = endpoint('accounts.changePlatform', 'POST /blade-system/user/update-platform', {
  title: '用户：修改平台配置',
  access: ['user_platform'],
  values: { ...userId, ...pick(User, 'userType').of, userExt: openGroup({}) },
})

/** What a person sees of the own account. */
export type Profile = AnswerOf<typeof ownProfile>
