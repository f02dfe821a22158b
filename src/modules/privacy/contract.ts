import {
  count,
  date,
  dateTime,
  download,
  endpoint,
  group,
  id,
  integer,
  list,
  maybe,
  optional,
  pick,
  secret,
  sometimes,
  text,
  truth,
  type Wire,
  words,
} from '#engine'
import { Datarequest } from '#schemas/system/datarequest'
import { Exporttask } from '#schemas/workbook/exporttask'

/** How long something is kept, and what becomes of it then. */
const keepShape = {
  from: words('起算', 'archive', 'day', 'end'),
  months: integer('月数'),
  then: words('到期处理', 'erase', 'blank', 'stay'),
  ground: text('依据'),
}

const groupShape = group({ examName: text('考试'), count: count('条数'), until: maybe(date('保存至')) })

/** One kind of data that is kept about the caller. */
const kindShape = group({
  name: text('种类'),
  title: text('名称'),
  fields: list(text('字段')),
  purpose: text('用途'),
  ...keepShape,
  count: count('条数'),
  groups: list(groupShape),
})

/** Every kind of data that is kept about the caller: what for, on what ground, how long. */
export const ownKinds = endpoint('privacy.kinds', 'GET /blade-system/own-data/kinds', {
  title: '我的数据：查看',
  access: 'candidate',
  answer: list(kindShape),
})

/** What asking for one's data to be erased would do now: why it is refused, or what goes and what stays. */
export const erasurePreview = endpoint('privacy.erasure', 'GET /blade-system/own-data/erasure', {
  title: '我的数据：删除前查看',
  access: 'candidate',
  answer: group({
    block: text('不能删除的原因'),
    rows: list(
      group({
        title: text('名称'),
        ...keepShape,
        examName: text('考试'),
        count: count('条数'),
        until: maybe(date('保存至')),
      }),
    ),
  }),
})

const lookShape = group({
  time: dateTime('时间'),
  role: text('角色'),
  dept: text('机构'),
  name: text('姓名'),
  reason: text('查看原因'),
  field: text('内容'),
})

/** Who has looked at the caller's numbers and papers in full. */
export const ownLooks = endpoint('privacy.looks', 'GET /blade-system/own-data/looks', {
  title: '我的数据：谁看过我的号码',
  access: 'candidate',
  query: { current: optional(integer('页码', { minimum: 1, maximum: 1000 })) },
  answer: group({ total: count('总数'), rows: list(lookShape) }),
})

const proof = {
  password: optional(secret('密码', { maxLength: 4096 })),
  keyId: optional(text('密钥', { maxLength: 40 })),
  codeId: optional(text('验证码编号', { maxLength: 64 })),
  smsCode: optional(text('短信验证码', { maxLength: 10 })),
}

/** Has a copy of the caller's data made, in the background. It takes the own password, or a code sent to the own phone. */
export const exportOwn = endpoint('privacy.export', 'POST /blade-system/own-data/export', {
  title: '我的数据：导出',
  access: 'candidate',
  openBody: true,
  body: { ...proof, language: words('语言', 'zh', 'en') },
  answer: group({ taskId: id('任务编号') }),
})

/** The caller's copies. */
export const ownExports = endpoint('privacy.exports', 'GET /blade-system/own-data/exports', {
  title: '我的数据：导出记录',
  access: 'candidate',
  answer: list(
    group({
      id: id('编号'),
      ...pick(Exporttask, 'taskStatus', 'failReason').of,
      createTime: dateTime('创建时间'),
      keepUntil: maybe(dateTime('文件保留至')),
      left: count('剩余下载次数'),
      isReady: truth('可以下载'),
    }),
  ),
})

/** Downloads a copy. */
export const downloadOwn = endpoint('privacy.download', 'POST /blade-system/own-data/download', {
  title: '我的数据：下载',
  access: 'candidate',
  body: { id: id('编号') },
  answer: download('zip'),
})

const consentKind = words('同意事项', 'email', 'avatar', 'wechat', 'outside', 'upload')
/** Which optional upload of a sign-up it is. */
const upload = { signUpId: sometimes(id('报名')), fileCode: sometimes(text('附件编码', { maxLength: 50 })) }

/** Takes a consent back: what was given by it is erased at once. */
export const withdrawConsent = endpoint('privacy.withdrawConsent', 'POST /blade-system/own-data/withdraw-consent', {
  title: '我的数据：撤回同意',
  access: 'candidate',
  body: { kind: consentKind, ...upload },
})

/** What the caller has consented to beyond what an exam needs, and has given by it. */
export const ownConsents = endpoint('privacy.consents', 'GET /blade-system/own-data/consents', {
  title: '我的数据：已同意事项',
  access: 'candidate',
  answer: list(
    group({
      kind: consentKind,
      given: text('已提供'),
      ...upload,
      name: sometimes(text('附件名称')),
      examName: sometimes(text('考试名称')),
    }),
  ),
})

/** Asks for data to be erased, corrected or explained. */
export const askAboutData = endpoint('privacy.ask', 'POST /blade-system/datarequest/ask', {
  title: '个人信息请求：提交',
  access: 'candidate',
  body: pick(Datarequest, 'requestKind', 'content').of,
  answer: group({ id: id('编号'), dueDate: date('办理期限') }),
})

/** Takes such a request back. */
export const withdrawAsking = endpoint('privacy.withdrawAsking', 'POST /blade-system/datarequest/withdraw', {
  title: '个人信息请求：撤回',
  access: 'candidate',
  body: { id: id('编号') },
})

const expiringShape = {
  drafts: count('从未提交的报名'),
  requests: count('个人信息请求的申请人'),
  texts: count('不属于考试的短信'),
  addresses: count('消息的接收地址'),
  asked: count('将通知的账号'),
  accounts: count('将清除的账号'),
}

/** How much goes by itself with the next run of the job. Nothing is changed. */
export const expiring = endpoint('privacy.expiring', 'GET /blade-exam/datapurge/expiring', {
  title: '资料清除：到期自动清除试算',
  access: ['datapurge_plan'],
  answer: group(expiringShape),
})

/** One of the kinds of data, as the page has it. */
export type OwnKind = Wire<typeof kindShape>
/** What a consent is about. */
export type ConsentKind = Wire<typeof consentKind>
