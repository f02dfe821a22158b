import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { AttendStatus, ExamStatus, TicketStatus } from '#schemas/dictionaries'
import type { ScopesNow } from '../../../../crud/scope-rule.ts'
import { type Live, withRemoved } from '../../../../platform/database/live.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { startOfDay } from '../../../../platform/http/server/wire.ts'
import { doorTimes, inMyRooms } from './scope.ts'

/** Rooms of the caller's with the tickets of their people. */
const places = (app: FastifyInstance, who: Person) =>
  liveAs(app, who)
    .selectFrom('examroom as room')
    .innerJoin('examinationitem as item', 'item.id', 'room.itemId')
    .innerJoin('examination as exam', 'exam.id', 'room.examId')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .leftJoin('examinationticket as ticket', join =>
      join.onRef('ticket.roomId', '=', 'room.id').on('ticket.ticketStatus', '<>', TicketStatus.voided),
    )
    .where(inMyRooms(app, who))
    .select(eb => {
      const people = eb.fn.count<string>('ticket.id')
      return [
        people.as('people'),
        people.filterWhere('ticket.attend', '=', AttendStatus.present).as('arrived'),
        people.filterWhere('ticket.attend', '=', AttendStatus.absent).as('absent'),
        people.filterWhere('ticket.attend', '=', AttendStatus.misconduct).as('breach'),
      ]
    })

/** Numbers of people, which PostgreSQL counts with 64 bits. */
const counted = <T extends Record<'people' | 'arrived' | 'absent' | 'breach', string>>(row: T) => ({
  ...row,
  people: Number(row.people),
  arrived: Number(row.arrived),
  absent: Number(row.absent),
  breach: Number(row.breach),
})

/**
 * The stages in which the caller has rooms, the latest first, each with when its check-in is open, its totals, and how many
 * notes of rehearsals are kept.
 */
export async function checkInStages(app: FastifyInstance, who: Person) {
  const rows = await places(app, who)
    .select(['item.id as itemId', 'room.examId', 'exam.examName', 'item.itemName', 'item.startTime', 'item.endTime'])
    .select('item.ticketRelease')
    .select(eb => eb.fn.count<string>('room.id').distinct().as('rooms'))
    .select(
      sql<string>`(SELECT count(*) FROM check_in c JOIN examinationticket t ON t.id = c."ticketId" JOIN examroom own
        ON own.id = t."roomId" WHERE c.rehearsal AND t."itemId" = item.id AND ${inMyRooms(app, who, 'own')})`.as(
        'rehearsed',
      ),
    )
    .where('exam.examStatus', 'in', [ExamStatus.released, ExamStatus.closed])
    .groupBy(['item.id', 'room.examId', 'exam.examName'])
    .orderBy('item.startTime', 'desc')
    .orderBy('item.id')
    .limit(100)
    .execute()
  return rows.map(row => ({
    ...counted(row),
    rooms: Number(row.rooms),
    rehearsed: Number(row.rehearsed),
    ...doorTimes(row),
  }))
}

/** Who stands at which door. */
async function proctorsOf(db: Live, roomIds: readonly string[]) {
  return roomIds.length
    ? db
        .selectFrom('room_proctor as p')
        .innerJoin(withRemoved('user'), 'user.id', 'p.userId')
        .select(['p.roomId', 'p.userId', 'user.realName as name'])
        .where('p.roomId', 'in', [...roomIds])
        .orderBy('user.realName')
        .execute()
    : []
}

/** The caller's rooms of a stage with their totals and proctors, site by site. */
export async function checkInRooms(app: FastifyInstance, who: Person, itemId: string) {
  const rows = await places(app, who)
    .select(['room.id as roomId', 'room.roomNo', 'room.roomName', 'school.schoolName'])
    .where('room.itemId', '=', itemId)
    .groupBy(['room.id', 'school.schoolCode', 'school.schoolName'])
    .having(eb => eb.fn.count('ticket.id'), '>', 0)
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .execute()
  const proctors = await proctorsOf(
    liveAs(app, who),
    rows.map(row => row.roomId),
  )
  return rows.map(row => ({
    ...counted(row),
    proctors: proctors.filter(one => one.roomId === row.roomId).map(({ userId, name }) => ({ userId, name })),
  }))
}

/** In how many rooms of the caller's somebody sits an exam today, and when the first begins. */
export async function roomsToday(app: ScopesNow & Parameters<typeof liveAs>[0], who: Person) {
  const today = startOfDay(app.now())
  const { num, oldest } = await liveAs(app, who)
    .selectFrom('examroom as room')
    .innerJoin('examinationitem as item', 'item.id', 'room.itemId')
    .innerJoin('examination as exam', 'exam.id', 'room.examId')
    .where('exam.examStatus', 'in', [ExamStatus.released, ExamStatus.closed])
    .where('room.usedNum', '>', 0)
    .where('item.startTime', '>=', today)
    .where('item.startTime', '<', new Date(today.getTime() + 86_400_000))
    .where('item.endTime', '>', app.now())
    .where(inMyRooms(app, who))
    .select(eb => [eb.fn.count<string>('room.id').as('num'), eb.fn.min('item.startTime').as('oldest')])
    .executeTakeFirstOrThrow()
  return { num: Number(num), oldest, overdue: 0, due: oldest }
}
