import type { Kysely } from 'kysely'
import { ImportMode, SeatStatus, TicketStatus } from '#schemas/dictionaries'
import { refuseRepeated, type Sheet } from '../../../crud/import-task.ts'
import { reasonSheet, type WrongCell } from '../../../crud/reason-sheet.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { readTemplate, type TemplateColumn, templateWorkbook } from '../../../platform/workbook/workbook.ts'
import type { SheetRow } from '../../../platform/workbook/workbook-parse.ts'
import { seatOf } from '../rules/seat-room.ts'
import { lockStage, type PlacedSeat, writePlan } from './allot.ts'
import { answerImport, type Imported, type StageTaking, writeImport } from './rooms.ts'
import { type Stage, stageOf, toBeSeated, unpaid } from './stage.ts'

const version = 'seats-1'

/** Columns of the sheet of a stage's people and their seats. */
const columns = [
  { title: '报名号', required: true, width: 18 },
  { title: '姓名', width: 12, note: '填写时必须与报名一致' },
  { title: '报考单位', width: 14 },
  { title: '岗位代码', width: 12 },
  { title: '准考证号', width: 20, note: '由系统在锁定座位时生成，导入时不读取' },
  { title: '考点代码', required: true, width: 12 },
  { title: '考场号', required: true, width: 10 },
  { title: '座位号', required: true, type: 'number', width: 10 },
] as const satisfies readonly TemplateColumn[]

type Title = (typeof columns)[number]['title']
type Line = SheetRow & { text: Record<Title, string> }

/** Everybody who needs a seat, with the seat he has in the plan. */
const peopleOf = (db: Kysely<Database>, stage: Stage) =>
  toBeSeated(db, stage)
    .leftJoin('seat_draft as seat', join =>
      join.onRef('seat.signupId', '=', 'signup.id').on('seat.itemId', '=', stage.id),
    )
    .leftJoin('examroom as room', 'room.id', 'seat.roomId')
    .leftJoin('school', 'school.id', 'room.schoolId')
    .leftJoin('examinationticket as ticket', join =>
      join
        .onRef('ticket.signupId', '=', 'signup.id')
        .on('ticket.itemId', '=', stage.id)
        .on('ticket.ticketStatus', '<>', TicketStatus.voided)
        .on('ticket.isDeleted', '=', 0),
    )
    .select(['signup.id', 'signup.signNo', 'signup.name', 'position.unit', 'position.code', 'ticket.ticketNo'])
    .select(['school.schoolCode', 'room.roomNo', 'seat.seatNo'])
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .orderBy('seat.seatNo')
    .orderBy('signup.signNo')
    .execute()

/**
 * The sheet of a stage: everybody who needs a seat, with the seat and number he has.
 * @param foot who takes it and when
 * @throws row.notFound
 */
export async function seatSheet(db: Kysely<Database>, itemId: string, foot: string): Promise<Buffer> {
  const stage = await stageOf(db, itemId)
  if (!stage) throw refuse('row.notFound')
  const rows = (await peopleOf(db, stage)).map(one => [
    one.signNo,
    one.name,
    one.unit,
    one.code,
    one.ticketNo,
    one.schoolCode,
    one.roomNo,
    one.seatNo,
  ])
  return templateWorkbook({ sheet: '考生座位', version, columns, rows, foot })
}

async function readLines(file: Buffer): Promise<Line[]> {
  const lines: Line[] = []
  for await (const { row, cells } of readTemplate(file, { version, columns })) {
    if (cells.every(cell => cell.kind === 'empty')) continue
    const text = Object.fromEntries(
      columns.map(({ title }, i) => [title, cells[i]?.kind === 'formula' ? '' : (cells[i]?.text ?? '')]),
    )
    lines.push({ row, cells, text: text as Line['text'] })
  }
  return lines
}

type Known = Awaited<ReturnType<typeof peopleOf>>[number]
type Room = Awaited<ReturnType<typeof roomsOf>>[number]

const roomsOf = (db: Kysely<Database>, itemId: string) =>
  db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select(['room.id', 'room.schoolId', 'room.roomNo', 'room.capacity', 'room.rows', 'room.cols', 'school.schoolCode'])
    .where('room.itemId', '=', itemId)
    .where('room.enable', '=', 1)
    .where('room.isDeleted', '=', 0)
    .execute()

/** Finds what a line means, and what is wrong with it. */
function reader(people: readonly Known[], rooms: readonly Room[]) {
  const bySign = new Map(people.map(one => [one.signNo, one]))
  const byRoom = new Map(rooms.map(room => [`${room.schoolCode}\n${room.roomNo}`, room]))
  const taken = new Map<string, number>()
  const seen = new Map<string, number>()
  const repeated = (map: Map<string, number>, key: string, row: number): number | undefined => {
    const first = map.get(key)
    if (first === undefined) map.set(key, row)
    return first
  }
  return ({ row, text }: Line): { problems: WrongCell[]; seat?: PlacedSeat } => {
    const problems: WrongCell[] = []
    const note = (column: Title, msg: string) => void problems.push({ row, column, msg })
    const person = bySign.get(text.报名号)
    const room = byRoom.get(`${text.考点代码}\n${text.考场号}`)
    const seatNo = Number(text.座位号)
    if (!person) note('报名号', '不是本项目的有效考生')
    else if (text.姓名 && text.姓名 !== person.name) note('姓名', `与报名不一致（${person.name}）`)
    const before = person && repeated(seen, person.id, row)
    if (before !== undefined) note('报名号', `与第 ${before} 行重复`)
    if (!room) note('考场号', '没有这个考点或考场，请先导入考点考场')
    else if (!Number.isInteger(seatNo) || seatNo < 1 || seatNo > room.capacity)
      note('座位号', `应为 1 到 ${room.capacity} 的整数`)
    const clash = room && repeated(taken, `${room.id} ${seatNo}`, row)
    if (clash !== undefined) note('座位号', `与第 ${clash} 行是同一个座位`)
    if (problems.length || !person || !room) return { problems }
    return { problems, seat: { id: person.id, ...seatOf(room, seatNo, false) } }
  }
}

/**
 * Takes the seats of a stage from a workbook, as a draft in place of an earlier one; locking it makes the tickets.
 * Every import is written down with its file and a copy that says what was wrong.
 * @throws tickets.seatsLocked when the seats are locked, tickets.candidatesUnfinished and reduction.unfinished while
 * people may still change, workbook.templateInvalid for another sheet, workbook.rowsInvalid in mode 1 when a row is
 * bad, or when none is good, input.repeated for a file taken in within the last ten minutes
 */
export async function importSeats(
  db: Kysely<Database>,
  by: StageTaking,
  itemId: string,
  sheet: Sheet,
): Promise<Imported> {
  const lines = await readLines(sheet.file)
  if (!lines.length) throw refuse('workbook.templateInvalid')
  const done = await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
    const { open, moving } = await unpaid(trx, stage, by.now)
    if (moving) throw refuse('reduction.unfinished', { n: moving })
    if (open) throw refuse('tickets.candidatesUnfinished', { n: open })
    const taking = { ...by, business: 'ticket', place: itemId }
    await refuseRepeated(trx, taking, sheet.file)
    const [people, rooms] = [await peopleOf(trx, stage), await roomsOf(trx, itemId)]
    const read = lines.map(reader(people, rooms))
    const wrong = read.flatMap(one => one.problems)
    const found = read.flatMap(one => one.seat ?? [])
    const seats = sheet.mode === ImportMode.allOrNothing && wrong.length > 0 ? [] : found
    const how = { strategy: 0, seed: '', options: { snake: false }, total: seats.length, conflicts: 0 }
    if (seats.length > 0) await writePlan(trx, itemId, seats, how, by)
    const errSheet = await reasonSheet({ sheet: '考生座位', version, columns }, lines, wrong, sheet.mode)
    return writeImport(trx, taking, sheet, { total: lines.length, okNum: seats.length, wrong, errSheet })
  })
  return answerImport(done)
}
