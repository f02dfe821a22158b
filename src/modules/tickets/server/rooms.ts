import type { SheetRow } from '#engine'
import { roomSheet } from '#resources/tickets/room-sheet'
import { SchoolType, SeatStatus } from '#schemas/dictionaries'
import { Examroom } from '#schemas/exams/examroom'
import { School } from '#schemas/exams/school'
import { type Deed, keepHistory } from '../../../crud/history.ts'
import { sheetRules } from '../../../crud/sheet-rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { lockStage } from './allot.ts'
import type { Stage } from './stage.ts'

/** The rooms a stage has already, with their sites. */
const roomsOf = (db: Live, itemId: string) =>
  db
    .selectFrom('examroom as room')
    .innerJoin('school', 'school.id', 'room.schoolId')
    .select([
      'school.schoolCode',
      'school.schoolName',
      'school.address',
      'room.roomNo',
      'room.roomName',
      'room.rows',
      'room.cols',
      'room.capacity',
      'room.reserve',
      'room.subject',
      'room.isSpecial',
    ])
    .where('room.itemId', '=', itemId)
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .execute()

type Row = SheetRow<typeof roomSheet>

/** What is wrong with a room beyond its fields, in the order of the columns. */
function problemsOf(row: Row) {
  const found: { field: keyof Row; msg: string }[] = []
  const ask = (field: keyof Row, holds: boolean, msg: string) => void (holds || found.push({ field, msg }))
  const within = (value: number | null, least: number, most: number) =>
    value === null || (value >= least && value <= most)
  const { capacity, rows, cols } = row
  ask('schoolCode', /^[0-9A-Za-z-]+$/.test(row.schoolCode), '请输入考点代码，只能是字母、数字和 -')
  ask('roomNo', /^[0-9A-Za-z-]+$/.test(row.roomNo), '请输入考场号，最多 10 个字母或数字')
  ask('rows', within(rows, 1, 50), '排应为 1 到 50 的整数')
  ask('cols', within(cols, 1, 50), '列应为 1 到 50 的整数')
  const isRoom = within(capacity, 1, 99)
  ask('capacity', isRoom, '座位数应为 1 到 99 的整数')
  ask('reserve', within(row.reserve, 0, isRoom ? capacity : 99), '预留应为不超过座位数的整数')
  ask('capacity', !rows || !cols || !isRoom || rows * cols >= capacity, '座位数不能超过 排 × 列')
  return found
}

/** The site of a row, made or brought up to date. */
async function siteOf(db: Live, row: Row, who: Omit<Deed, 'act'>): Promise<string> {
  const values = { schoolName: row.schoolName, address: row.address }
  const known = await db
    .selectFrom('school')
    .selectAll()
    .where('schoolType', '=', SchoolType.examSite)
    .where('schoolCode', '=', row.schoolCode)
    .executeTakeFirst()
  if (known) {
    if (known.schoolName === values.schoolName && known.address === values.address) return known.id
    const changed = await db
      .updateTable('school')
      .set(values)
      .where('id', '=', known.id)
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(db, School, [[known, changed]], { act: 'edit', ...who })
    return known.id
  }
  const made = await db
    .insertInto('school')
    .values({ ...values, schoolType: SchoolType.examSite, schoolCode: row.schoolCode })
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(db, School, [[null, made]], { act: 'add', ...who })
  return made.id
}

async function saveRoom(db: Live, stage: Stage, row: Row, schoolId: string, who: Omit<Deed, 'act'>) {
  const { roomNo, roomName, rows, cols, capacity, reserve, subject, isSpecial } = row
  const values = { roomName, rows, cols, capacity, reserve, subject, isSpecial }
  const known = await db
    .selectFrom('examroom')
    .selectAll()
    .where('itemId', '=', stage.id)
    .where('schoolId', '=', schoolId)
    .where('roomNo', '=', roomNo)
    .executeTakeFirst()
  const saved = known
    ? await db
        .updateTable('examroom')
        .set(eb => ({ ...values, version: eb('version', '+', 1) }))
        .where('id', '=', known.id)
        .returningAll()
        .executeTakeFirstOrThrow()
    : await db
        .insertInto('examroom')
        .values({ ...values, examId: stage.examId, itemId: stage.id, schoolId, roomNo, usedNum: 0 })
        .returningAll()
        .executeTakeFirstOrThrow()
  await keepHistory(db, Examroom, [[known ?? null, saved]], { act: known ? 'edit' : 'add', ...who })
}

/**
 * Sites and rooms of a stage from a workbook; a room known by its site and number is brought up to date. Refuses
 * tickets.seatsLocked when the seats are locked.
 */
export const roomSheetRules = sheetRules(roomSheet, {
  business: 'school',
  prefill: ({ app, person, fixed }) => roomsOf(liveAs(app, person), fixed.itemId),
  begin: async ({ app, person, trx, fixed }) => {
    const stage = await lockStage(liveAs(app, person, trx), fixed.itemId)
    if (stage.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
    return stage
  },
  check: problemsOf,
  save: async (rows, { app, trx, held: stage, person, now }) => {
    const db = liveAs(app, person, trx)
    const who = { userId: person.userId, now }
    const sites = new Map<string, string>()
    for (const { values } of rows) {
      const site = sites.get(values.schoolCode) ?? (await siteOf(db, values, who))
      sites.set(values.schoolCode, site)
      await saveRoom(db, stage, values, site, who)
    }
  },
})
