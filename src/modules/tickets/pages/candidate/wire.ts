/** A ticket of this person; `stepCode` is the code of what stands before it, 0 when it can be had. */
export interface TicketLine {
  ticketId: string
  examId: string
  itemId: string
  examName: string
  itemName: string
  ticketNo: string
  startTime: string
  endTime: string
  address: string
  roomNo: string
  seatNo: string
  ticketStatus: number
  downStart: string
  downEnd: string
  stepCode: number
  /** What stands before it, in words; empty for a ticket that is not out yet. */
  stepMsg?: string
  /** When a ticket that is not out yet comes, in words. */
  msg?: string
}

/** Pictures asked for before a ticket is given out. */
export interface Asked {
  needPics: { slot: string; label: string }[]
  picState: number
  picRemark: string
}

/** A ticket's sheet in words; `photo` is a data URI and `qr` the text of its code. */
export interface TicketSheet {
  examName: string
  itemName: string
  ticketNo: string
  name: string
  sex: string
  idCard: string
  photo: string
  unit: string
  code: string
  postName: string
  siteName: string
  address: string
  traffic: string | null
  roomNo: string
  roomName: string | null
  seatNo: string
  subject: string
  startTime: string
  endTime: string
  latestTime: string | null
  notes: string[]
  qr: string
}

/** What stands before a ticket, in the order in which it is dealt with. */
const order: readonly number[] = [25002, 25003, 25001, 25004, 25005]
const words: Readonly<Record<number, string>> = {
  25002: '准考证发布',
  25003: '缴费',
  25001: '下载时间',
  25004: '确认通知',
  25005: '上传材料',
}

/** The codes of the steps, and of a ticket that was made void. */
export const step = { release: 25002, unpaid: 25003, window: 25001, sure: 25004, pictures: 25005, void: 25006 } as const

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
