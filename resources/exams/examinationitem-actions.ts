import { group, numberedShape, optional, sometimes, text } from '#engine'
import { EnableStatus, ReleaseStatus, SeatStatus, TicketStatus } from '../../schemas/dictionaries.ts'

const reason = text('撤回原因', { maxLength: 200 })

/** What changes the state of a stage: its switch, its seating plan that is opened again, and the release of its tickets. */
export const stageTransitions = {
  enable: {
    label: '启用',
    call: 'POST enable?id',
    when: { itemStatus: EnableStatus.disabled },
    set: { itemStatus: EnableStatus.enabled },
    done: '{{name}} 已启用',
    undo: { call: 'POST disable?id' },
  },
  disable: {
    label: '停用',
    call: 'POST disable?id',
    when: { itemStatus: EnableStatus.enabled },
    guard: '没有缴费、准考证和成绩',
    set: { itemStatus: EnableStatus.disabled },
    done: '{{name}} 已停用',
    undo: { call: 'POST enable?id' },
    confirm: '确定停用该项目?',
  },
  unlockSeats: {
    label: '解锁座位',
    when: { seatStatus: SeatStatus.locked },
    guard: '准考证没有发布',
    set: { seatStatus: SeatStatus.draft },
  },
  releaseTicket: {
    label: '发布准考证',
    call: 'POST releaseTicket?id',
    when: { needTicket: 1, ticketRelease: { not: ReleaseStatus.released } },
    guard: '座位已锁定，考试项目未结束',
    set: { ticketRelease: ReleaseStatus.released },
    along: {
      examinationticket: {
        by: 'itemId',
        when: { ticketStatus: TicketStatus.draft },
        set: { ticketStatus: TicketStatus.released },
      },
    },
    num: 'examinationticket',
    confirm: '发布后考生即可下载准考证，确定发布?',
    code: 'ticket',
  },
  recallTicket: {
    label: '撤回准考证',
    call: 'POST recallTicket?id,reason',
    when: { ticketRelease: ReleaseStatus.released },
    set: { ticketRelease: ReleaseStatus.recalled },
    along: {
      examinationticket: {
        by: 'itemId',
        when: { ticketStatus: TicketStatus.released },
        set: { ticketStatus: TicketStatus.draft },
      },
    },
    num: 'examinationticket',
    reason,
    code: 'ticket',
    danger: true,
  },
} as const

/** A set of stages of the new exam's wizard, for an exam that has none. */
const begins = { on: 'empty', input: ['examId'], answer: numberedShape, code: 'add' } as const

/** What is done with a stage's fee, seats and results. */
export const stageActions = {
  beginWritten: { label: '用「笔试 100 分」', call: 'POST beginWritten', ...begins },
  beginBoth: { label: '用「笔试 + 面试 6:4」', call: 'POST beginBoth', ...begins },
  releasePay: {
    label: '发布缴费',
    call: 'POST releasePay?id',
    when: { needPay: 1, payRelease: { not: 1 } },
    confirm: '发布后为每位应缴考生生成缴费记录，确定发布?',
  },
  recallPay: {
    label: '撤回缴费',
    call: 'POST recallPay?id',
    when: { needPay: 1, payRelease: ReleaseStatus.released },
    confirm: '撤回后未缴费记录将删除，确定撤回?',
    danger: true,
  },
  allot: {
    label: '考场编排',
    call: 'GET getAllotInfo?id',
    open: '/ticket/allot?examId=:examId&itemId=:id',
    when: { needSeat: 1 },
  },
  releaseResult: {
    label: '发布成绩',
    call: 'POST releaseResult?id,reason',
    when: { resultRelease: { not: 1 } },
    ask: { reason: optional(text('有人缺成绩仍要发布的原因', { maxLength: 200 })) },
    answer: group({ ...numberedShape.of, message: sometimes(text('说明')) }),
    code: 'result',
  },
  recallResult: {
    label: '撤回成绩',
    call: 'POST recallResult?id,reason',
    when: { resultRelease: ReleaseStatus.released },
    ask: { reason },
    answer: numberedShape,
    code: 'result',
    danger: true,
  },
} as const
