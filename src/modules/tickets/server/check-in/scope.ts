import type { FastifyInstance } from 'fastify'
import { expressionBuilder, type RawBuilder, sql } from 'kysely'
import { ExamRole } from '#schemas/dictionaries'
import { inScope, seesAllRows } from '../../../../crud/scope.ts'
import type { ScopesNow } from '../../../../crud/scope-rule.ts'
import type { LiveDatabase } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { type ActFacts, checkTimely, windowOf } from '../../../exams/rules/act-windows.ts'
import { holdsNow } from '../../../exams/server/appointment.ts'
import { ticketWindows } from '../../rules/act-windows.ts'
import './tables.ts'

/** The times of a stage. */
export interface StageTimes {
  startTime: Date
  endTime: Date
}

/** A stage as the windows of acts at its doors ask for it. */
export const doorFacts = ({ startTime, endTime }: StageTimes): ActFacts => ({
  exam: {},
  stage: { itemName: '', startTime, endTime },
})

/** From when and until when notes about a stage are taken. */
export function doorTimes(stage: StageTimes): { openFrom: Date; openUntil: Date } {
  const { from, until } = windowOf(ticketWindows.checkIn, doorFacts(stage))
  return { openFrom: from as Date, openUntil: until as Date }
}

/** Nobody is let in later than this after the beginning, where the ticket does not say. */
const lateLimit = 0.5 * 3600_000

/** When the entry to a stage is closed: what the tickets say. */
export const latestEntry = (latestTime: Date | null | undefined, startTime: Date): Date =>
  latestTime ?? new Date(startTime.getTime() + lateLimit)

/** Rooms to which a person is assigned as a proctor, and all rooms of the exams that the person administers. */
function ownRooms(app: ScopesNow, who: Person, room: string): RawBuilder<boolean> {
  const id = sql.ref(`${room}.id`)
  const stands = sql`EXISTS (SELECT 1 FROM room_proctor p WHERE p."roomId" = ${id} AND p."userId" = ${who.userId})`
  if (!who.permissions.has('checkin_appoint')) return sql<boolean>`${stands}`
  if (seesAllRows(who)) return sql<boolean>`true`
  const manages = expressionBuilder<LiveDatabase, never>()
    .selectFrom('examuser as u')
    .select('u.id')
    .where('u.examId', '=', sql.ref<string>(`${room}.examId`))
    .where('u.userId', '=', who.userId)
    .where('u.examRole', '=', ExamRole.manager)
    .where(holdsNow('u', app.now()))
  return sql<boolean>`(${stands} OR EXISTS (${manages}))`
}

/**
 * The rooms whose people a person may see and check in, as a condition. A proctor needs both a valid appointment to the
 * exam and a place at the door of the room. Every call of the check-in stands on it.
 * @param room alias of the table `examroom` in the statement
 */
export const inMyRooms = (app: ScopesNow, who: Person, room = 'room'): RawBuilder<boolean> =>
  sql<boolean>`(${inScope(app, who, 'examroom', room)} AND ${ownRooms(app, who, room)})`

/** A room of the caller's with its stage, if it is one. */
export const findRoom = (app: FastifyInstance, who: Person, roomId: string) =>
  liveAs(app, who)
    .selectFrom('examroom as room')
    .innerJoin('examinationitem as item', 'item.id', 'room.itemId')
    .innerJoin('examination as exam', 'exam.id', 'room.examId')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id as roomId', 'room.roomNo', 'room.roomName', 'room.itemId', 'room.examId'])
    .select(['school.schoolName', 'exam.examName', 'item.itemName', 'item.startTime', 'item.endTime'])
    .select('item.ticketRelease')
    .where('room.id', '=', roomId)
    .where(inMyRooms(app, who))
    .executeTakeFirst()

/** A room of the caller's with its stage. @throws row.notFound */
export async function roomInScope(app: FastifyInstance, who: Person, roomId: string) {
  const room = await findRoom(app, who, roomId)
  if (!room) throw refuse('row.notFound')
  return room
}

/**
 * Whether a door may be opened now: for real while people are checked in for its stage, for a rehearsal before that.
 * Afterwards there is nothing to rehearse, and the rosters stay closed.
 * @throws tickets.checkInClosed outside the time of the check-in, tickets.rehearsalOver for a rehearsal that would be
 * later than its beginning
 */
export function checkOpen(stage: StageTimes, { now, rehearsal }: { now: Date; rehearsal: boolean }): void {
  checkTimely(rehearsal ? ticketWindows.rehearse : ticketWindows.checkIn, doorFacts(stage), now)
}
