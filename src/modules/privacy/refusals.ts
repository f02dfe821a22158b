import type { RefusalTable } from '#engine'

/** What is refused to persons about the data that are kept of them. */
export const privacyRefusals = {
  'privacy.examRunning': [
    30001,
    409,
    '考试「{考试}」尚未归档，资料为组织考试所必需，{时间}之后归档了才能删除',
    'The exam “{考试}” is not archived yet and needs the data; they can be erased once it is archived, after {时间}',
  ],
  'privacy.refundOpen': [
    30002,
    409,
    '退款{单号}尚未完成，完成后才能删除',
    'Refund {单号} is not finished; data can be erased after it',
  ],
  'privacy.appealOpen': [
    30003,
    409,
    '考试「{考试}」的成绩复核尚未答复，答复后才能删除',
    'The appeal in the exam “{考试}” is not answered; data can be erased after it',
  ],
  'privacy.downloadsUsed': [
    30004,
    409,
    '每份导出最多下载{n}次，请重新导出',
    'A copy can be downloaded {n} times; please export again',
  ],
  'privacy.requestWaiting': [
    30005,
    409,
    '同类请求正在办理，请等待答复或先撤回',
    'A request of this kind is being handled; wait for the answer or withdraw it first',
  ],
  'privacy.purgeBlocked': [30006, 409, '现在不能清除：{原因}', 'Data cannot be erased now: {原因}'],
  'privacy.nothingDue': [30007, 409, '这场考试没有到期的资料', 'Nothing of this exam is due to be erased'],
  'privacy.purgeTooEarly': [
    30008,
    409,
    '告知考生未满30天，{时间}起才能清除',
    'People have not known for thirty days; data can be erased from {时间} on',
  ],
} as const satisfies RefusalTable<'privacy'>

type PrivacyRefusals = typeof privacyRefusals

declare module '#engine' {
  interface Refusals extends PrivacyRefusals {}
}
