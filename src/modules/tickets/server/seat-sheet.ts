import { seatSheet } from '#resources/tickets/seat-sheet'
import { SeatStatus, TicketStatus } from '#schemas/dictionaries'
import { sheetRules } from '../../../crud/sheet-rules.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { seatOf } from '../rules/seat-room.ts'
import { lockStage, writePlan } from './allot.ts'
import { type Stage, stageOf, toBeSeated, unpaid } from './stage.ts'

/** Everybody who needs a seat, with the seat of the plan. */
const peopleOf = (db: Live, stage: Stage) =>
  toBeSeated(db, stage)
    .leftJoin('seat_draft as seat', join =>
      join.onRef('seat.signupId', '=', 'signup.id').on('seat.itemId', '=', stage.id),
    )
    .leftJoin(withRemoved('examroom as room'), 'room.id', 'seat.roomId')
    .leftJoin(withRemoved('school'), 'school.id', 'room.schoolId')
    .leftJoin('examinationticket as ticket', join =>
      join
        .onRef('ticket.signupId', '=', 'signup.id')
        .on('ticket.itemId', '=', stage.id)
        .on('ticket.ticketStatus', '<>', TicketStatus.voided),
    )
    .select(['signup.id', 'signup.signNo', 'signup.name', 'position.unit', 'position.code', 'ticket.ticketNo'])
    .select(['school.schoolCode', 'room.roomNo', 'seat.seatNo'])
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .orderBy('seat.seatNo')
    .orderBy('signup.signNo')
    .execute()

const roomsOf = (db: Live, itemId: string) =>
  db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id', 'room.schoolId', 'room.roomNo', 'room.capacity', 'room.rows', 'room.cols', 'school.schoolCode'])
    .where('room.itemId', '=', itemId)
    .where('room.enable', '=', 1)
    .execute()

const place = (row: { schoolCode: string; roomNo: string }): string => `${row.schoolCode}\n${row.roomNo}`

/**
 * Seats of a stage from a workbook, as a draft in place of an earlier one; locking it makes the tickets. Refuses
 * tickets.seatsLocked when the seats are locked, reduction.candidatesUnfinished and reduction.unfinished while people may
 * still change.
 */
export const seatSheetRules = sheetRules(seatSheet, {
  business: 'ticket',
  prefill: async ({ app, person, db, fixed }) => {
    const live = liveAs(app, person, db)
    const stage = await stageOf(live, fixed.itemId)
    if (!stage) throw refuse('row.notFound')
    return peopleOf(live, stage)
  },
  begin: async ({ app, person, trx, fixed, now }) => {
    const live = liveAs(app, person, trx)
    const stage = await lockStage(live, fixed.itemId)
    if (stage.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
    const { open, moving } = await unpaid(live, stage, now)
    if (moving) throw refuse('reduction.unfinished', { n: moving })
    if (open) throw refuse('reduction.candidatesUnfinished', { n: open })
    const rooms = await roomsOf(live, stage.id)
    return { stage, rooms: new Map(rooms.map(room => [place(room), room])) }
  },
  find: ({ app, person, db, held }) => peopleOf(liveAs(app, person, db), held.stage),
  absent: () => '不是本项目的有效考生',
  check: (row, _found, { held }) => {
    const room = held.rooms.get(place(row))
    if (!room) return [{ field: 'roomNo', msg: '没有这个考点或考场，请先导入考点考场' }]
    const { capacity } = room
    if (row.seatNo >= 1 && row.seatNo <= capacity) return []
    return [{ field: 'seatNo', msg: `应为 1 到 ${capacity} 的整数` }]
  },
  compare: rows => {
    const taken = new Map<string, number>()
    return rows.flatMap(({ row, values }) => {
      const seat = `${place(values)}\n${values.seatNo}`
      const first = taken.get(seat)
      if (first === undefined) taken.set(seat, row)
      return first === undefined ? [] : [{ row, field: 'seatNo' as const, msg: `与第 ${first} 行是同一个座位` }]
    })
  },
  save: async (rows, { app, trx, held: { stage, rooms }, person, now }) => {
    const seats = rows.flatMap(({ values, found }) => {
      const room = rooms.get(place(values))
      return room ? [{ id: found.id, ...seatOf(room, values.seatNo, false) }] : []
    })
    const how = { strategy: 0, seed: '', options: { snake: false }, total: seats.length, conflicts: 0 }
    await writePlan(liveAs(app, person, trx), stage, seats, how, { userId: person.userId, now })
  },
})
