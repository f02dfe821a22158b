import type { RefusalTable } from '#engine'

/** What tickets, seating and check-in refuse. */
export const ticketsRefusals = {
  'tickets.downloadClosed': [25001, 400, '准考证下载未开始或已结束（{时间}）', 'Tickets can be downloaded {时间}'],
  'tickets.notReleased': [25002, 404, '准考证尚未发布', 'The ticket is not released yet'],
  'tickets.unpaid': [25003, 409, '未缴费，不能下载准考证', 'Not paid; the ticket cannot be downloaded'],
  'tickets.noticeUnconfirmed': [25004, 409, '请先阅读并确认《{通知}》', 'Read and confirm “{通知}” first'],
  'tickets.picturesMissing': [25005, 409, '请先上传：{材料}', 'Upload first: {材料}'],
  'tickets.void': [25006, 409, '准考证已作废：{原因}', 'The ticket is void: {原因}'],
  'tickets.seatsShort': [25007, 409, '座位不足：需{n}，可用{m}', 'Not enough seats: {n} needed, {m} available'],
  'tickets.seatsLocked': [25008, 409, '座位已锁定，请先解锁', 'The seats are locked; unlock them first'],
  'tickets.seatTaken': [25009, 409, '座位已被占用', 'The seat is taken'],
  'tickets.released': [25011, 409, '准考证已发布，请先撤回', 'Tickets are released; recall them first'],
  'tickets.checkInClosed': [25012, 400, '签到未开放或已结束（{时间}）', 'The check-in is open {时间}'],
  'tickets.rehearsalOver': [
    25013,
    400,
    '正式签到从 {时间} 起开放，不能再演练',
    'Rehearsals end when the check-in opens ({时间})',
  ],
} as const satisfies RefusalTable<'tickets'>

type TicketsRefusals = typeof ticketsRefusals

declare module '#engine' {
  interface Refusals extends TicketsRefusals {}
}
