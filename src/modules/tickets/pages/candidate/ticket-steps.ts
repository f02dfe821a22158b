/** What stands before a ticket, in the order in which it is dealt with. */
const order: readonly number[] = [
  REFUSAL.tickets.notReleased,
  REFUSAL.tickets.unpaid,
  REFUSAL.tickets.downloadClosed,
  REFUSAL.tickets.noticeUnconfirmed,
  REFUSAL.tickets.picturesMissing,
]
const words: Readonly<Record<number, string>> = {
  [REFUSAL.tickets.notReleased]: '准考证发布',
  [REFUSAL.tickets.unpaid]: '缴费',
  [REFUSAL.tickets.downloadClosed]: '下载时间',
  [REFUSAL.tickets.noticeUnconfirmed]: '确认通知',
  [REFUSAL.tickets.picturesMissing]: '上传材料',
}

/** The codes of the steps, and of a ticket that was made void. */
export const step = {
  release: REFUSAL.tickets.notReleased,
  unpaid: REFUSAL.tickets.unpaid,
  window: REFUSAL.tickets.downloadClosed,
  sure: REFUSAL.tickets.noticeUnconfirmed,
  pictures: REFUSAL.tickets.picturesMissing,
  void: REFUSAL.tickets.void,
} as const

/** The steps to a ticket with where each stands. Those behind an open one are not known yet, those before it are done. */
export function stepsTo(stepCode: number): { code: number; word: string; state: 'done' | 'here' | 'ahead' }[] {
  const here = stepCode === 0 ? order.length : order.indexOf(stepCode)
  const all = order.map((code, at) => ({
    code,
    word: words[code] ?? '',
    state: at < here ? ('done' as const) : at === here ? ('here' as const) : ('ahead' as const),
  }))
  return [...all, { code: 0, word: '下载准考证', state: stepCode === 0 ? 'here' : 'ahead' }]
}
