import type { FastifyInstance } from 'fastify'
import { Sex } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import type { Undated } from '../../../platform/pdf/drawing.ts'
import type { TicketDocument } from '../documents/ticket-pdf.ts'
import type { TicketFacts } from './download-rules.ts'
import { linesOfTickets } from './remarks.ts'

/** What a ticket says, with nothing left out. */
type WholeDocument = Required<Undated<TicketDocument>>
type Many = readonly TicketFacts[]
type Keyed<T> = ReadonlyMap<string, T>

const pick = <T>(rows: Many, of: (row: TicketFacts) => T): T[] => [...new Set(rows.map(of))]

/** The words behind keys of the tenant's dictionaries, by `code key`. */
async function wordsOf(db: Live, codes: readonly string[]): Promise<Keyed<string>> {
  const rows = await db
    .selectFrom('dict_biz')
    .select(['code', 'dictKey', 'dictValue'])
    .where('code', 'in', [...codes])
    .execute()
  return new Map(rows.map(row => [`${row.code} ${row.dictKey}`, row.dictValue ?? '']))
}

/** Units and subjects in words: `wordOf('recruit_unit', 'u1')`; a key nobody knows stays as it is. */
export async function ticketWords(db: Live) {
  const words = await wordsOf(db, ['recruit_unit', 'exam_subject'])
  return (code: 'recruit_unit' | 'exam_subject', key: string | null): string => words.get(`${code} ${key}`) ?? key ?? ''
}

/** The bytes of pictures by attachment; one that is missing is left out: a ticket without its photo is better than none. */
export async function picturesOf(
  app: FastifyInstance,
  db: Live,
  ids: readonly (string | null)[],
): Promise<Keyed<Buffer>> {
  const known = [...new Set(ids.filter(id => id !== null))]
  if (known.length === 0) return new Map()
  const rows = await db.selectFrom(withRemoved('attach')).select(['id', 'name']).where('id', 'in', known).execute()
  const read = rows.map(async ({ id, name }) => [id, await app.storage.get(name).catch(() => null)] as const)
  const pictures = await Promise.all(read)
  return new Map(pictures.filter((one): one is readonly [string, Buffer] => one[1] !== null))
}

async function placesOf(db: Live, tickets: Many) {
  const rows = await db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id', 'room.roomName', 'school.schoolName', 'school.traffic'])
    .where(
      'room.id',
      'in',
      pick(tickets, one => one.roomId),
    )
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** The positions of tickets by exam and code. */
async function postsOf(db: Live, tickets: Many) {
  const rows = await db
    .selectFrom('examitems')
    .select(['examId', 'code', 'postName', 'examSubject'])
    .where(
      'examId',
      'in',
      pick(tickets, one => one.examId),
    )
    .execute()
  return new Map(rows.map(row => [`${row.examId} ${row.code}`, row]))
}

/** Stages written on paper: positions have subjects for these alone. */
const written = '1'

const sexes: Readonly<Record<number, string>> = { [Sex.male]: '男', [Sex.female]: '女' }

/** Tickets with everything their sheets say, in the order given. */
export async function ticketDocuments(app: FastifyInstance, who: Person, tickets: Many): Promise<WholeDocument[]> {
  if (tickets.length === 0) return []
  const db = liveAs(app, who)
  const [layout, places, posts, wordOf, photos, lines] = await Promise.all([
    readParam(db, 'ticket.layout'),
    placesOf(db, tickets),
    postsOf(db, tickets),
    ticketWords(db),
    picturesOf(
      app,
      db,
      tickets.map(one => one.photo),
    ),
    linesOfTickets(db, tickets),
  ])
  return tickets.map((ticket, i) => {
    const at = places.get(ticket.roomId)
    const post = posts.get(`${ticket.examId} ${ticket.code}`)
    // What somebody writes is said by the position; the stage says it where positions do not differ.
    const subject = (ticket.itemType === written && post?.examSubject) || ticket.subject
    const { examName, itemName, ticketNo, name, code, address, roomNo, seatNo, paper } = ticket
    return {
      layout,
      examName,
      itemName,
      ticketNo,
      name,
      code,
      address,
      roomNo,
      seatNo,
      paper,
      sex: sexes[ticket.sex ?? 0] ?? '',
      idCard: app.vault.open(ticket.idCard),
      photo: photos.get(ticket.photo ?? '') ?? null,
      unit: wordOf('recruit_unit', ticket.unit),
      postName: post?.postName ?? '',
      siteName: at?.schoolName ?? '',
      traffic: at?.traffic ?? null,
      roomName: at?.roomName ?? null,
      subject: wordOf('exam_subject', subject),
      notes: lines[i] ?? [],
      qr: ticket.qrPayload,
      startTime: ticket.startTime,
      endTime: ticket.endTime,
      latestTime: ticket.latestTime,
      organizer: ticket.organizer,
      contactPhone: ticket.contactPhone,
    }
  })
}

/** A ticket with everything its sheet says. */
export async function ticketDocument(app: FastifyInstance, who: Person, ticket: TicketFacts): Promise<WholeDocument> {
  const [document] = await ticketDocuments(app, who, [ticket])
  return document as WholeDocument
}
