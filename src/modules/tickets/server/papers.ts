import type { FastifyInstance } from 'fastify'
import { maskSealed } from '#engine'
import { Sex, TicketStatus } from '#schemas/dictionaries'
import { scoped } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import type { Undated } from '../../../platform/pdf/drawing.ts'
import type { RoomDocument, RoomSeat } from '../documents/room-pdf.ts'
import { Paper } from '../rules/paper.ts'
import { picturesOf, ticketDocuments, ticketWords } from './document.ts'
import { type TicketFacts, ticketsById, ticketsOfPlace } from './download-rules.ts'

/** What is printed of a room or a whole stage as a PDF. */
export type PaperType = Exclude<(typeof Paper)[keyof typeof Paper], typeof Paper.ticket | typeof Paper.roster>

/** People of one print run at most: photos are held in memory, and a file of thousands of pages serves nobody. */
const most: Readonly<Record<PaperType, number>> = {
  [Paper.tickets]: 500,
  [Paper.doorLists]: 20_000,
  [Paper.signInSheets]: 2000,
  [Paper.seatLabels]: 20_000,
}

/** Whose papers are printed. */
export interface Place {
  itemId?: string
  roomId?: string
}

/**
 * The people of a place.
 * @throws tickets.notReleased when nobody has a ticket there, workbook.tooManyRows when there are more than one run
 * holds
 */
async function peopleOf(app: FastifyInstance, who: Person, place: Place, limit: number): Promise<TicketFacts[]> {
  const tickets = await ticketsOfPlace(liveAs(app, who), app.now(), place)
  if (tickets.length === 0) throw refuse('tickets.notReleased')
  if (tickets.length > limit) throw refuse('workbook.tooManyRows', { n: limit })
  return tickets
}

const sexes: Readonly<Record<number, string>> = { [Sex.male]: '男', [Sex.female]: '女' }

/** The rooms of a place with who sits where; ID numbers masked, photos only where they are compared. */
async function roomsOf(app: FastifyInstance, who: Person, tickets: readonly TicketFacts[], withPhotos: boolean) {
  const db = liveAs(app, who)
  const places = await db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id', 'room.roomNo', 'room.roomName', 'school.schoolName'])
    .where('room.id', 'in', [...new Set(tickets.map(one => one.roomId))])
    .execute()
  const wordOf = await ticketWords(db)
  const photos = await picturesOf(app, db, withPhotos ? tickets.map(one => one.photo) : [])
  const rooms = new Map<string, Undated<RoomDocument> & { seats: RoomSeat[] }>()
  for (const one of tickets) {
    const at = places.find(room => room.id === one.roomId)
    const room = rooms.get(one.roomId) ?? {
      examName: one.examName,
      itemName: one.itemName,
      startTime: one.startTime,
      endTime: one.endTime,
      siteName: at?.schoolName ?? '',
      roomNo: one.roomNo,
      roomName: at?.roomName ?? null,
      subject: wordOf('exam_subject', one.subject),
      seats: [],
    }
    rooms.set(one.roomId, room)
    room.seats.push({
      seatNo: one.seatNo,
      name: one.name,
      sex: sexes[one.sex ?? 0] ?? '',
      ticketNo: one.ticketNo,
      idCard: maskSealed(app.vault.open(one.idCard)),
      code: one.code,
      unit: wordOf('recruit_unit', one.unit),
      photo: photos.get(one.photo ?? '') ?? null,
    })
  }
  return [...rooms.values()]
}

const drawings = {
  [Paper.doorLists]: 'doorListPdf',
  [Paper.signInSheets]: 'signInSheetPdf',
  [Paper.seatLabels]: 'seatLabelsPdf',
} as const

/** The papers of a room or a stage as one PDF. @throws tickets.notReleased, workbook.tooManyRows */
export async function printPapers(app: FastifyInstance, who: Person, type: PaperType, place: Place): Promise<Buffer> {
  const tickets = await peopleOf(app, who, place, most[type])
  if (type === Paper.tickets)
    return app.drawings.get('ticketsPdf', await ticketDocuments(app, who, tickets), who.tenantId)
  return app.drawings.get(drawings[type], await roomsOf(app, who, tickets, type === Paper.signInSheets), who.tenantId)
}

/**
 * Tickets that were chosen as one PDF, in the order of their ids.
 * @throws row.notFound when one is not there for the person, row.wrongState when one is void
 */
export async function printChosen(app: FastifyInstance, who: Person, ids: readonly string[]): Promise<Buffer> {
  const met = await scoped(app, who, 'examinationticket').select('id').where('id', 'in', ids).execute()
  if (met.length < ids.length) throw refuse('row.notFound')
  const tickets = await ticketsById(liveAs(app, who), app.now(), ids)
  const [gone] = tickets.filter(one => one.ticketStatus === TicketStatus.voided)
  if (gone) throw refuseSaying('row.wrongState', `「${gone.name}」的准考证已作废，不能打印`)
  return app.drawings.get('ticketsPdf', await ticketDocuments(app, who, tickets), who.tenantId)
}

/** Heads of {@link rosterRows}. */
export const rosterColumns = [
  { title: '报考单位', width: 24 },
  { title: '岗位代码', width: 12 },
  { title: '姓名', width: 12 },
  { title: '准考证号', width: 22 },
  { title: '证件号码', width: 22 },
  { title: '考点地址', width: 30 },
  { title: '考场号', width: 10 },
  { title: '座位号', width: 10 },
] as const

/** Everybody of a place, unit by unit, as rows of a sheet. @throws tickets.notReleased, workbook.tooManyRows */
export async function rosterRows(app: FastifyInstance, who: Person, place: Place): Promise<string[][]> {
  const tickets = await peopleOf(app, who, place, most[3])
  const wordOf = await ticketWords(liveAs(app, who))
  const rows = tickets.map(one => [
    wordOf('recruit_unit', one.unit),
    one.code,
    one.name,
    one.ticketNo,
    maskSealed(app.vault.open(one.idCard)),
    one.address,
    one.roomNo,
    one.seatNo,
  ])
  return rows.toSorted((a, b) => `${a[0]} ${a[1]} ${a[3]}`.localeCompare(`${b[0]} ${b[1]} ${b[3]}`, 'zh'))
}
