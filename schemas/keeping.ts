import type { Keep } from '#engine'

/** How long what is kept about people is kept, by what it is. */
export const keeping = {
  /** The form of a sign-up, its photo and its papers. */
  form: {
    from: 'archive',
    months: 24,
    then: 'blank',
    ground: '组织考试所必需，归档后保存两年备查',
  },
  /** Forms that were begun and never handed in, from the end of the sign-up on. */
  drafts: { from: 'end', months: 3, then: 'erase', ground: '未提交的报名不再需要，报名截止三个月后清除' },
  /** What goes along with a sign-up and is of use only as long as it. */
  along: {
    from: 'archive',
    months: 24,
    then: 'erase',
    ground: '组织考试所必需，归档后保存两年备查',
  },
  /** Pictures that are asked for on the day of an exam. */
  dayPictures: { from: 'day', months: 1, then: 'blank', ground: '考试当日防疫与安全查验，考后一个月内清除' },
  /** Pictures of identity cards. */
  cardPictures: { from: 'archive', months: 6, then: 'blank', ground: '核验身份所必需，归档后保存六个月' },
  /** Texts of messages, and who has looked at what. */
  messages: { from: 'end', months: 24, then: 'blank', ground: '证明已经告知，保存两年' },
  /** Where messages were sent to. */
  addresses: { from: 'end', months: 6, then: 'blank', ground: '查证投递结果，发送六个月后清除' },
  /** Payments, refunds and receipts. */
  money: { from: 'archive', months: 360, then: 'stay', ground: '会计档案管理办法：会计凭证保存三十年' },
  /** Reviews, results and lists that decide who is hired. */
  hiring: { from: 'archive', months: 360, then: 'stay', ground: '档案法及招聘档案管理规定：招聘结果须存档' },
  /** The security log. */
  audit: { from: 'end', months: 36, then: 'stay', ground: '网络安全法：网络日志留存不少于六个月，本系统留存三年' },
  /** What entries of the security log say beyond who did what, and when. */
  details: {
    from: 'archive',
    months: 24,
    then: 'blank',
    ground: '网络安全法：网络日志留存不少于六个月，内容归档后保存两年',
  },
  /** An account. */
  account: { from: 'end', months: 36, then: 'blank', ground: '登录和报名所必需，最近一次登录后保存三年' },
  /** Claims and requests of persons, with what was decided on them. */
  requests: { from: 'end', months: 36, then: 'stay', ground: '证明已依法处理本人的申请，保存三年' },
  /** Who has objected to a list on public notice. */
  objections: { from: 'end', months: 12, then: 'blank', ground: '核实异议所必需，答复后保存十二个月' },
  /** Uploads that are read once. */
  workbooks: { from: 'end', months: 6, then: 'erase', ground: '导入出错时核对原文件，保存六个月' },
  /** Papers of the office, which are about nobody. */
  office: { from: 'end', months: 360, then: 'stay', ground: '单位业务资料，不属于考生个人信息' },
} as const satisfies Record<string, Keep>
