import type { FastifyInstance } from 'fastify'
import { examinationitem } from '#resources/exams/examinationitem'
import { ReleaseStatus, SeatStatus, TicketStatus } from '#schemas/dictionaries'
import { guard, on } from '../../../crud/rules.ts'
import { makeTransition } from '../../../crud/transition.ts'
import { type Live, removeRows, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { ticketWindows } from '../rules/act-windows.ts'
import { roomSerials } from '../rules/seat-room.ts'
import { ticketNumber } from '../rules/ticket-number.ts'
import { lockStage, markSeats, roomsOf } from './allot.ts'
import { factsOf, type Stage, toBeSeated } from './stage.ts'
import { nameMark, signTicket } from './ticket-code.ts'

/** The key that signs an exam's tickets. */
export interface TicketKey {
  id: string
  privateKey: string
}

const minutes = 60_000
/** What the code on a ticket says of it. */
interface Coded {
  tenantId: string
  itemId: string
  name: string
  roomNo: string
  seatNo: string
  startTime: Date
  ticketNo: string
  /** 1, and one more each time the number was reissued. */
  issue: number
}

/** The signed code of a ticket. */
export const codeOf = (ticket: Coded, key: TicketKey): string =>
  signTicket(
    {
      tenant: ticket.tenantId,
      itemId: ticket.itemId,
      ticketNo: ticket.ticketNo,
      keyId: key.id,
      name: nameMark(ticket.name, ticket.ticketNo),
      room: ticket.roomNo,
      seat: ticket.seatNo,
      start: Math.floor(ticket.startTime.getTime() / 1000),
      issue: ticket.issue,
    },
    key.privateKey,
  )

/** Nobody is let in later than this after the beginning. */
const lateLimit = 30 * minutes

/** Everyone in the draft with what their ticket says. */
const seated = (trx: Live, itemId: string) =>
  trx
    .selectFrom('seat_draft as seat')
    .innerJoin(withRemoved('signup'), 'signup.id', 'seat.signupId')
    .innerJoin(withRemoved('examroom as room'), 'room.id', 'seat.roomId')
    .innerJoin(withRemoved('school'), 'school.id', 'room.schoolId')
    .select([
      'seat.signupId',
      'seat.roomId',
      'seat.seatNo',
      'room.roomNo',
      'room.schoolId',
      'school.address',
      'school.schoolName',
    ])
    .select([
      'signup.userId',
      'signup.name',
      'signup.idCard',
      'signup.idCardHash',
      'signup.idCardMask',
      'signup.photo',
      'signup.tenantId',
    ])
    .select(['signup.finalUnit', 'signup.finalCode', 'signup.finalType', 'signup.unit', 'signup.code', 'signup.type'])
    .where('seat.itemId', '=', itemId)
    .orderBy('seat.roomId')
    .orderBy('seat.seatNo')
    .execute()

type Seated = Awaited<ReturnType<typeof seated>>[number]

/** Two-digit codes of the position types: the exam's own before those of all exams; `00` where none is set. */
async function typeCodes(trx: Live, stage: Stage): Promise<ReadonlyMap<string, string>> {
  const rows = await trx
    .selectFrom('typecode')
    .select(['type', 'typeCode', 'examId'])
    .where(eb => eb.or([eb('examId', 'is', null), eb('examId', '=', stage.examId)]))
    .execute()
  const known = rows.toSorted((a, b) => Number(a.examId !== null) - Number(b.examId !== null))
  return new Map(known.map(row => [row.type, row.typeCode]))
}

/** Which stage of its exam this is, from 1. */
async function serialOf(trx: Live, stage: Stage): Promise<number> {
  const stages = await trx
    .selectFrom('examinationitem')
    .select('id')
    .where('examId', '=', stage.examId)
    .orderBy('startTime')
    .orderBy('id')
    .execute()
  return stages.findIndex(one => one.id === stage.id) + 1
}

/** How many people a draft no longer fits: without a seat, no longer to be seated, or in a room or seat that is gone. */
async function changedSince(trx: Live, stage: Stage, seats: readonly Seated[]): Promise<number> {
  const people = await toBeSeated(trx, stage).select('signup.id').execute()
  const rooms = new Map((await roomsOf(trx, stage.id)).map(room => [room.id, room.capacity]))
  const due = new Set(people.map(one => one.id))
  const wrong = seats.filter(seat => !due.has(seat.signupId) || seat.seatNo > (rooms.get(seat.roomId) ?? 0))
  const placed = new Set(seats.map(seat => seat.signupId))
  return wrong.length + people.filter(one => !placed.has(one.id)).length
}

/** How often each number was voided: a seat given out again carries the next issue of its number. */
export async function voidedNumbers(trx: Live, itemId: string): Promise<ReadonlyMap<string, number>> {
  const rows = await trx
    .selectFrom('examinationticket')
    .select('ticketNo')
    .where('itemId', '=', itemId)
    .where('ticketStatus', '=', TicketStatus.voided)
    .execute()
  const counts = new Map<string, number>()
  for (const { ticketNo } of rows) {
    const number = ticketNo.replace(/-\d+$/, '')
    counts.set(number, (counts.get(number) ?? 0) + 1)
  }
  return counts
}

/** What every ticket of a stage shares. */
interface Shared {
  stage: Stage
  serial: number
  rooms: ReadonlyMap<string, number>
  types: ReadonlyMap<string, string>
  voided: ReadonlyMap<string, number>
  key: TicketKey
}

/** The number of a seat, and which issue of it this is. */
function numberOf(seat: Seated, { stage, serial, rooms, types, voided }: Shared): { ticketNo: string; issue: number } {
  const type = seat.finalType ?? seat.type
  const parts = {
    examCode: stage.examCode,
    stage: serial,
    typeCode: types.get(type) ?? (/^\d{2}$/.test(type) ? type : '00'),
    room: rooms.get(seat.roomId) ?? 0,
    seat: seat.seatNo,
  }
  const issue = 1 + (voided.get(ticketNumber(parts)) ?? 0)
  return { ticketNo: ticketNumber({ ...parts, issue }), issue }
}

function ticketOf(seat: Seated, shared: Shared) {
  const { stage, key } = shared
  const { ticketNo, issue } = numberOf(seat, shared)
  const seatNo = String(seat.seatNo).padStart(2, '0')
  const { tenantId, name, roomNo } = seat
  const coded = { tenantId, itemId: stage.id, name, roomNo, seatNo, startTime: stage.startTime, ticketNo, issue }
  return {
    examId: stage.examId,
    itemId: stage.id,
    signupId: seat.signupId,
    userId: seat.userId,
    name: seat.name,
    idCard: seat.idCard,
    idCardHash: seat.idCardHash,
    idCardMask: seat.idCardMask,
    photo: seat.photo,
    unit: seat.finalUnit ?? seat.unit,
    code: seat.finalCode ?? seat.code,
    ticketNo,
    schoolId: seat.schoolId,
    roomId: seat.roomId,
    roomNo: seat.roomNo,
    seatNo,
    address: seat.address || seat.schoolName,
    startTime: stage.startTime,
    endTime: stage.endTime,
    latestTime: new Date(stage.startTime.getTime() + lateLimit),
    qrPayload: codeOf(coded, key),
    ticketStatus: TicketStatus.draft,
  }
}

/** A count that follows from the seats: nobody has changed the rooms, so they keep their stamps. */
async function countRooms(trx: Live, itemId: string, seats: readonly Seated[]): Promise<void> {
  const counts = new Map<string, number>()
  for (const { roomId } of seats) counts.set(roomId, (counts.get(roomId) ?? 0) + 1)
  await updateUnstamped(trx, 'examroom').set({ usedNum: 0 }).where('itemId', '=', itemId).execute()
  for (const [roomId, usedNum] of counts)
    await updateUnstamped(trx, 'examroom').set({ usedNum }).where('id', '=', roomId).execute()
}

/**
 * Whether the draft of a stage can be fixed, and the seats it holds.
 * @throws tickets.seatsLocked when it is locked already, row.wrongState without a draft, input.invalid when people or
 * rooms have changed since the draw
 */
export async function checkLock(trx: Live, stage: Stage, { now }: Pick<Actor, 'now'>) {
  if (stage.seatStatus !== SeatStatus.draft)
    throw refuse(stage.seatStatus === SeatStatus.locked ? 'tickets.seatsLocked' : 'row.wrongState')
  checkTimely(ticketWindows.planSeats, factsOf(stage), now)
  const seats = await seated(trx, stage.id)
  const changed = await changedSince(trx, stage, seats)
  if (changed) throw refuse('input.invalid', { 说明: `编排之后有 ${changed} 人的资格、座位或考场有变动，请重新编排` })
  return seats
}

/**
 * Fixes the draft: 1 → 2, and makes every ticket, not yet released, with its number and signed code.
 * @returns how many tickets were made; none when the same person has locked it before
 * @throws tickets.seatsLocked when locked already, row.wrongState without a draft, input.invalid when people or rooms
 * have changed since the draw
 */
export async function lockAllot(db: Live, itemId: string, actor: Actor, key: TicketKey): Promise<number> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (isOwnRepeat(stage, stage.seatStatus === SeatStatus.locked, actor)) return 0
    const seats = await checkLock(trx, stage, actor)
    const rooms = await trx.selectFrom('examroom').selectAll().where('itemId', '=', itemId).execute()
    const shared = {
      stage,
      serial: await serialOf(trx, stage),
      rooms: roomSerials(rooms),
      types: await typeCodes(trx, stage),
      voided: await voidedNumbers(trx, itemId),
      key,
    }
    const tickets = seats.map(seat => ticketOf(seat, shared))
    for (let at = 0; at < tickets.length; at += 1000)
      await trx
        .insertInto('examinationticket')
        .values(tickets.slice(at, at + 1000))
        .execute()
    // What follows from the seats is copied to the rooms, which keep their stamps.
    await countRooms(trx, itemId, seats)
    await markSeats(trx, stage, SeatStatus.locked, actor)
    return tickets.length
  })
}

/**
 * Whether the plan of a stage can be opened again.
 * @throws row.wrongState when it is not locked, tickets.released while tickets are out
 */
export function checkUnlock(stage: Pick<Stage, 'seatStatus' | 'ticketRelease'>): void {
  if (stage.seatStatus !== SeatStatus.locked) throw refuse('row.wrongState')
  if (stage.ticketRelease === ReleaseStatus.released) throw refuse('tickets.released')
}

/**
 * Opens the plan again; the tickets made of it are withdrawn. Asked again by the same person, nothing happens.
 * @throws exams.archived, tickets.released while tickets are released, row.wrongState
 */
export async function unlockAllot(app: FastifyInstance, caller: Person, itemId: string): Promise<void> {
  const now = app.now()
  await liveAs(app, caller)
    .transaction()
    .execute(async trx => {
      await lockStage(trx, itemId)
      await makeTransition({ app, trx, caller, now }, examinationitem, 'unlockSeats', [itemId])
    })
}

/** A plan is opened again while no tickets of it are out, and those that were made of it go. */
export const seatRules = [
  guard(examinationitem, 'unlockSeats', ({ rows }) => {
    for (const stage of rows) checkUnlock(stage)
  }),
  on(examinationitem, 'unlockSeats', ({ db, rows }) =>
    removeRows(db, 'examinationticket')
      .where(
        'itemId',
        'in',
        rows.map(stage => stage.id),
      )
      .where('ticketStatus', '=', TicketStatus.draft)
      .execute(),
  ),
]
