import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { ReleaseStatus, TicketStatus } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../../platform/database/live.ts'
import { openPicture } from '../../../../platform/files/picture.ts'
import type { Person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { attendanceOf, type Mark } from '../../rules/attendance.ts'
import { roomSerials } from '../../rules/seat-room.ts'
import { picturesOf } from '../document.ts'
import { checkOpen, doorTimes, latestEntry, roomInScope } from './scope.ts'

/** How long a device may work with what it was given. */
const validity = 24 * 3600_000
/** A note that counts, as devices are told. */
interface ToldMark extends Mark {
  undoes: string | null
  by: string
}

/** The people of a room who may sit there, in the order of their seats. */
const people = (db: Live, roomId: string) =>
  db
    .selectFrom('examinationticket')
    .select(['id as ticketId', 'ticketNo', 'name', 'idCardMask', 'photo', 'seatNo', 'qrPayload', 'latestTime'])
    .where('roomId', '=', roomId)
    .where('ticketStatus', '=', TicketStatus.released)
    .orderBy('seatNo')
    .execute()

/**
 * The notes that count of every ticket of a room, by ticket; those that were taken back are left out.
 * @param rehearsal whether those of rehearsals are asked for: the two are never mixed
 */
export async function marksOfRoom(db: Live, roomId: string, rehearsal: boolean): Promise<Record<string, ToldMark[]>> {
  const rows = await db
    .selectFrom('check_in as mark')
    .innerJoin(withRemoved('examinationticket as ticket'), 'ticket.id', 'mark.ticketId')
    .innerJoin(withRemoved('user'), 'user.id', 'mark.userId')
    .select(['mark.id', 'mark.ticketId', 'mark.kind', 'mark.time', 'mark.undoes', 'user.realName as by'])
    .where('ticket.roomId', '=', roomId)
    .where('mark.counts', '=', true)
    .where('mark.rehearsal', '=', rehearsal)
    .execute()
  const marks = new Map<string, ToldMark[]>()
  for (const { ticketId, time, ...mark } of rows)
    marks.set(ticketId, [...(marks.get(ticketId) ?? []), { ...mark, at: time.getTime(), by: mark.by ?? '' }])
  return Object.fromEntries([...marks].map(([id, all]) => [id, attendanceOf(all).live]))
}

/** Photos small enough for a bad network, as they stand in a page. */
async function portraits(
  app: FastifyInstance,
  db: Live,
  ids: readonly (string | null)[],
): Promise<ReadonlyMap<string, string>> {
  const pictures = [...(await picturesOf(app, db, ids))].map(async ([id, bytes]) => {
    const picture = await openPicture(bytes)
    const small = await picture
      .resize(168, 236, { fit: 'cover' })
      .webp({ quality: 60 })
      .toBuffer()
      .catch(() => null)
    return [id, small ? `data:image/webp;base64,${small.toString('base64')}` : ''] as const
  })
  return new Map(await Promise.all(pictures))
}

/** Void tickets of a stage, by their numbers. */
async function revoked(db: Live, itemId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('examinationticket')
    .select('ticketNo')
    .where('itemId', '=', itemId)
    .where('ticketStatus', '=', TicketStatus.voided)
    .orderBy('ticketNo')
    .execute()
  return rows.map(row => row.ticketNo)
}

/** All rooms of a stage by their serial, which is part of every ticket number: where somebody belongs who came to another. */
async function roomsOfStage(db: Live, itemId: string) {
  const rooms = await db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id', 'room.schoolId', 'room.roomNo', 'room.roomName', 'room.capacity', 'school.schoolName'])
    .where('room.itemId', '=', itemId)
    .execute()
  const serials = roomSerials(rooms)
  return rooms.map(({ id, roomNo, roomName, schoolName }) => ({
    roomId: id,
    serial: serials.get(id) ?? 0,
    roomNo,
    roomName,
    schoolName,
  }))
}

/** What identifies a code without telling it. */
const digest = (code: string): string => createHash('sha256').update(code).digest('base64url')

/**
 * Everything that the door of a room needs without a network, for a day: its people with small photos and masked ID
 * numbers, the key that proves tickets, the void ones, and all rooms of the stage.
 * @param rehearsal for a rehearsal, which can be held before the check-in is open
 * @throws row.notFound, tickets.notReleased while the tickets are not out, tickets.checkInClosed outside the time of
 * the check-in, tickets.rehearsalOver for a rehearsal in it
 */
export async function bundleOf(app: FastifyInstance, who: Person, roomId: string, rehearsal: boolean) {
  const { ticketRelease, ...room } = await roomInScope(app, who, roomId)
  const [db, now] = [liveAs(app, who), app.now()]
  if (ticketRelease !== ReleaseStatus.released) throw refuse('tickets.notReleased')
  checkOpen(room, { now, rehearsal })
  const [seated, marks, voided, rooms] = await Promise.all([
    people(db, roomId),
    marksOfRoom(db, roomId, rehearsal),
    revoked(db, room.itemId),
    roomsOfStage(db, room.itemId),
  ])
  const photos = await portraits(
    app,
    db,
    seated.map(one => one.photo),
  )
  const roster = seated.map(({ photo, qrPayload, latestTime, idCardMask, ...one }) => ({
    ...one,
    idCard: idCardMask ?? '',
    photo: photos.get(photo ?? '') ?? '',
    code: digest(qrPayload),
    marks: marks[one.ticketId] ?? [],
  }))
  const latestTime = latestEntry(seated[0]?.latestTime, room.startTime)
  // A device does not go on rehearsing once the real check-in is open, with or without a network.
  const { openFrom, openUntil } = doorTimes(room)
  const end = rehearsal ? openFrom : openUntil
  const validUntil = new Date(Math.min(now.getTime() + validity, end.getTime()))
  return {
    rehearsal,
    room: { ...room, tenantId: who.tenantId, latestTime },
    roster,
    publicKey: app.secrets.pair('ticket').publicKey,
    revoked: voided,
    rooms,
    serverTime: now.getTime(),
    validUntil: validUntil.getTime(),
  }
}
