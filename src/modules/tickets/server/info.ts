import { EnableStatus, TicketStatus } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { capacityOf } from '../rules/seat-room.ts'
import { stageOf, toBeSeated, unpaid } from './stage.ts'
import './tables.ts'

const roomsOf = (db: Live, itemId: string) =>
  db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .selectAll('room')
    .select(['school.schoolName', 'school.schoolCode', 'school.address'])
    .where('room.itemId', '=', itemId)
    .where('room.enable', '=', 1)
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .execute()

/** The stages of an exam with how far each is, for choosing one. */
export async function stagesOf(db: Live, examId: string, now: Date) {
  const stages = await db
    .selectFrom('examinationitem')
    .select('id')
    .where('examId', '=', examId)
    .where('itemStatus', '=', EnableStatus.enabled)
    .where('needSeat', '=', 1)
    .orderBy('startTime')
    .execute()
  return Promise.all(stages.map(({ id }) => stageInfo(db, id, now)))
}

/** How many people, seats and open questions a stage has. @throws row.notFound */
async function stageInfo(db: Live, itemId: string, now: Date) {
  const stage = await stageOf(db, itemId)
  if (!stage) throw refuse('row.notFound')
  const [people, rooms, waiting] = await Promise.all([
    toBeSeated(db, stage)
      .select(eb => eb.fn.countAll<string>().as('n'))
      .executeTakeFirstOrThrow(),
    db.selectFrom('examroom').selectAll().where('itemId', '=', itemId).where('enable', '=', 1).execute(),
    unpaid(db, stage, now),
  ])
  return {
    itemId,
    itemName: stage.itemName,
    startTime: stage.startTime,
    endTime: stage.endTime,
    seatStatus: stage.seatStatus,
    ticketRelease: stage.ticketRelease,
    people: Number(people.n),
    rooms: rooms.length,
    capacity: capacityOf(rooms),
    open: waiting.open,
    moving: waiting.moving,
  }
}

/** A stage's plan: its figures, how it was drawn, and every room with who sits where. */
export async function allotInfo(db: Live, itemId: string, now: Date) {
  const seats = db
    .selectFrom('seat_draft as seat')
    .innerJoin(withRemoved('signup'), 'signup.id', 'seat.signupId')
    .leftJoin('examinationticket as ticket', join =>
      join
        .onRef('ticket.signupId', '=', 'seat.signupId')
        .onRef('ticket.itemId', '=', 'seat.itemId')
        .on('ticket.ticketStatus', '<>', TicketStatus.voided),
    )
    .select([
      'seat.signupId',
      'seat.roomId',
      'seat.seatNo',
      'seat.row',
      'seat.col',
      'signup.name',
      'signup.signNo',
      'ticket.ticketNo',
    ])
    .select(eb => [
      eb.fn.coalesce('signup.finalUnit', 'signup.unit').as('unit'),
      eb.fn.coalesce('signup.finalCode', 'signup.code').as('code'),
    ])
    .where('seat.itemId', '=', itemId)
    .orderBy('seat.seatNo')
    .execute()
  const [stage, plan, rooms, placed] = await Promise.all([
    stageInfo(db, itemId, now),
    db.selectFrom('seat_plan').selectAll().where('itemId', '=', itemId).executeTakeFirst(),
    roomsOf(db, itemId),
    seats,
  ])
  const grids = rooms.map(room => ({
    roomId: room.id,
    roomNo: room.roomNo,
    roomName: room.roomName,
    schoolName: room.schoolName,
    capacity: room.capacity,
    reserve: room.reserve ?? 0,
    cols: room.cols || 6,
    rows: room.rows || Math.ceil(room.capacity / (room.cols || 6)),
    isSpecial: room.isSpecial,
    seats: placed.filter(seat => seat.roomId === room.id),
  }))
  return {
    stage,
    plan: plan
      ? {
          strategy: plan.strategy,
          seed: plan.seed,
          options: plan.options,
          total: plan.total,
          conflicts: plan.conflicts,
          time: plan.time,
        }
      : null,
    rooms: grids,
  }
}
