import type { Kysely, Transaction } from 'kysely'
import { ImportMode, SchoolType, SeatStatus } from '#schemas/dictionaries'
import { refuseRepeated, type Sheet, type Taking, writeTask } from '../../../crud/import-task.ts'
import { reasonSheet, type WrongCell } from '../../../crud/reason-sheet.ts'
import type { Database } from '../../../platform/database/database.ts'
import { afterWork, refuse } from '../../../platform/http/server/refusal.ts'
import { readTemplate, type TemplateColumn, templateWorkbook } from '../../../platform/workbook/workbook.ts'
import type { SheetRow } from '../../../platform/workbook/workbook-parse.ts'
import type { Actor } from '../../exams/server/release.ts'
import { lockStage } from './allot.ts'

const version = 'examroom-1'

/** Columns of the sheet of sites and rooms. */
const columns = [
  { title: '考点代码', required: true, width: 12 },
  { title: '名称', required: true, width: 28, note: '考点名称；代码已存在时以此更新名称' },
  { title: '地址', required: true, width: 36 },
  { title: '考场号', required: true, width: 10 },
  { title: '教室', width: 16 },
  { title: '排', type: 'number', width: 8 },
  { title: '列', type: 'number', width: 8 },
  { title: '座位数', required: true, type: 'number', width: 10, note: '1 到 99，默认 30' },
  { title: '预留', type: 'number', width: 8 },
  { title: '科目', width: 12, note: '只坐该科目的考生；空 = 不限' },
  { title: '特殊', width: 8, options: ['是', '否'] },
] as const satisfies readonly TemplateColumn[]

type Title = (typeof columns)[number]['title']

interface RoomRow {
  row: number
  text: Record<Title, string>
}

/** Words of the written subjects by key, as a tenant has them. */
async function subjectsOf(db: Kysely<Database>, tenantId: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom('dict_biz')
    .select(['dictKey', 'dictValue'])
    .where('tenantId', '=', tenantId)
    .where('code', '=', 'exam_subject')
    .where('dictKey', '<>', '-1')
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .execute()
  return new Map(rows.map(row => [row.dictKey ?? '', row.dictValue ?? '']))
}

/** The sheet to fill in, with the rooms the stage has already. */
export async function roomTemplate(db: Kysely<Database>, tenantId: string, itemId: string): Promise<Buffer> {
  const subjects = await subjectsOf(db, tenantId)
  const rooms = await db
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
    .where('room.isDeleted', '=', 0)
    .orderBy('school.schoolCode')
    .orderBy('room.roomNo')
    .execute()
  const rows = rooms.map(one => [
    one.schoolCode,
    one.schoolName,
    one.address,
    one.roomNo,
    one.roomName,
    one.rows,
    one.cols,
    one.capacity,
    one.reserve,
    subjects.get(one.subject ?? '') ?? one.subject,
    one.isSpecial === 1 ? '是' : '否',
  ])
  const choices = columns.map(one => (one.title === '科目' ? { ...one, options: [...subjects.values()] } : one))
  return templateWorkbook({ sheet: '考点考场', version, columns: choices, rows })
}

const whole = (text: string, least: number, most: number) =>
  /^\d+$/.test(text) && Number(text) >= least && Number(text) <= most

/** Rules of one row, in the order of its columns. */
function problemsOf({ row, text }: RoomRow): WrongCell[] {
  const found: WrongCell[] = []
  const ask = (column: Title, holds: boolean, msg: string) => void (holds || found.push({ row, column, msg }))
  ask('考点代码', /^[0-9A-Za-z-]{1,20}$/.test(text.考点代码), '请输入考点代码，只能是字母、数字和 -')
  ask('名称', text.名称 !== '' && text.名称.length <= 100, '请输入考点名称，最多 100 字')
  ask('地址', text.地址 !== '' && text.地址.length <= 200, '请输入考点地址，最多 200 字')
  ask('考场号', /^[0-9A-Za-z-]{1,10}$/.test(text.考场号), '请输入考场号，最多 10 个字母或数字')
  ask('教室', text.教室.length <= 50, '教室最多 50 字')
  for (const column of ['排', '列'] as const)
    ask(column, text[column] === '' || whole(text[column], 1, 50), `${column}应为 1 到 50 的整数`)
  const seats = text.座位数 || '30'
  ask('座位数', whole(seats, 1, 99), '座位数应为 1 到 99 的整数')
  ask('预留', text.预留 === '' || whole(text.预留, 0, Number(seats) || 99), '预留应为不超过座位数的整数')
  ask('特殊', ['', '是', '否'].includes(text.特殊), '只能填 是 或 否')
  const grid = Number(text.排) * Number(text.列)
  ask('座位数', !grid || !whole(seats, 1, 99) || grid >= Number(seats), '座位数不能超过 排 × 列')
  return found
}

/** Reads the sheet: its rows, and everything wrong with them, rooms named twice included. Subjects come as keys. */
async function readSheet(
  file: Buffer,
  subjects: ReadonlyMap<string, string>,
): Promise<{ rows: RoomRow[]; problems: WrongCell[]; lines: SheetRow[] }> {
  const keys = new Map([...subjects].flatMap(([key, word]) => [[key, key] as const, [word, key] as const]))
  const rows: RoomRow[] = []
  const problems: WrongCell[] = []
  const lines: SheetRow[] = []
  const seen = new Map<string, number>()
  for await (const { row, cells } of readTemplate(file, { version, columns })) {
    if (cells.every(cell => cell.kind === 'empty')) continue
    lines.push({ row, cells })
    const text = Object.fromEntries(columns.map(({ title }, i) => [title, cells[i]?.text ?? ''])) as RoomRow['text']
    for (const [i, cell] of cells.entries())
      if (cell.kind === 'formula') problems.push({ row, column: columns[i]?.title ?? '', msg: '不能是公式' })
    const key = `${text.考点代码}\n${text.考场号}`
    const first = seen.get(key)
    if (first !== undefined) problems.push({ row, column: '考场号', msg: `与第 ${first} 行重复` })
    seen.set(key, first ?? row)
    problems.push(...problemsOf({ row, text }))
    const subject = text.科目 && keys.get(text.科目)
    if (subject === undefined) problems.push({ row, column: '科目', msg: `「${text.科目}」不是可选的科目` })
    rows.push({ row, text: { ...text, 科目: subject ?? '' } })
  }
  return { rows, problems, lines }
}

/** The site of a row, made or brought up to date. */
async function siteOf(trx: Transaction<Database>, tenantId: string, { text }: RoomRow, mover: Actor): Promise<string> {
  const stamp = { updateUser: mover.userId, updateTime: mover.now }
  const values = { schoolName: text.名称, address: text.地址, ...stamp }
  const known = await trx
    .selectFrom('school')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('schoolType', '=', SchoolType.examSite)
    .where('schoolCode', '=', text.考点代码)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (known) {
    await trx.updateTable('school').set(values).where('id', '=', known.id).execute()
    return known.id
  }
  const made = await trx
    .insertInto('school')
    .values({
      ...values,
      tenantId,
      schoolType: SchoolType.examSite,
      schoolCode: text.考点代码,
      createUser: mover.userId,
      createTime: mover.now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return made.id
}

async function saveRoom(
  trx: Transaction<Database>,
  stage: { id: string; examId: string; tenantId: string },
  row: RoomRow,
  schoolId: string,
  mover: Actor,
): Promise<void> {
  const { text } = row
  const number = (value: string) => (value === '' ? null : Number(value))
  const values = {
    roomName: text.教室 || null,
    rows: number(text.排),
    cols: number(text.列),
    capacity: Number(text.座位数 || 30),
    reserve: number(text.预留),
    subject: text.科目 || null,
    isSpecial: text.特殊 === '是' ? (1 as const) : (0 as const),
    updateUser: mover.userId,
    updateTime: mover.now,
  }
  const known = await trx
    .selectFrom('examroom')
    .select('id')
    .where('itemId', '=', stage.id)
    .where('schoolId', '=', schoolId)
    .where('roomNo', '=', text.考场号)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (known) await trx.updateTable('examroom').set(values).where('id', '=', known.id).execute()
  else
    await trx
      .insertInto('examroom')
      .values({
        ...values,
        tenantId: stage.tenantId,
        examId: stage.examId,
        itemId: stage.id,
        schoolId,
        roomNo: text.考场号,
        usedNum: 0,
        createUser: mover.userId,
        createTime: mover.now,
      })
      .execute()
}

/** What came of an import. `errFile` is the id of the copy of the sheet with the reasons. */
export interface Imported {
  taskId: string
  okNum: number
  errNum: number
  rows: WrongCell[]
  errFile: string | null
}

/** What a workbook of a stage came to before it is written down. */
export interface Taken {
  total: number
  okNum: number
  wrong: readonly WrongCell[]
  errSheet: Buffer | null
}

/** Writes an import of a stage down with its file and the copy with the reasons. */
export async function writeImport(
  trx: Transaction<Database>,
  taking: Taking,
  sheet: Sheet,
  { total, okNum, wrong, errSheet }: Taken,
): Promise<Imported> {
  const errNum = new Set(wrong.map(one => one.row)).size
  const { taskId, errFile } = await writeTask(trx, taking, sheet, { totalNum: total, okNum, errNum, errSheet })
  return { taskId, okNum, errNum, rows: [...wrong], errFile }
}

/**
 * What came of an import, or the refusal of one that took nothing in; what was written down about it stays.
 * @throws workbook.rowsInvalid
 */
export function answerImport(done: Imported): Imported {
  if (done.okNum === 0 && done.errNum > 0) throw afterWork(refuse('workbook.rowsInvalid', { n: done.errNum }, done))
  return done
}

/** Who takes in a workbook of a stage. */
export type StageTaking = Omit<Taking, 'business' | 'place'>

/**
 * Takes sites and rooms of a stage from a workbook; a room known by its site and number is brought up to date. Every
 * import is written down with its file and a copy that says what was wrong.
 * @throws tickets.seatsLocked when the seats are locked, workbook.templateInvalid for another sheet,
 * workbook.rowsInvalid in mode 1 when a row is bad, or when none is good, input.repeated for a file taken in within the
 * last ten minutes
 */
export async function importRooms(
  db: Kysely<Database>,
  by: StageTaking,
  itemId: string,
  sheet: Sheet,
): Promise<Imported> {
  const { rows, problems, lines } = await readSheet(sheet.file, await subjectsOf(db, by.tenantId))
  if (!rows.length) throw refuse('workbook.templateInvalid')
  const bad = new Set(problems.map(one => one.row))
  const good = sheet.mode === ImportMode.allOrNothing && bad.size > 0 ? [] : rows.filter(one => !bad.has(one.row))
  const errSheet = await reasonSheet({ sheet: '考点考场', version, columns }, lines, problems, sheet.mode)
  const done = await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.seatStatus === SeatStatus.locked) throw refuse('tickets.seatsLocked')
    const taking = { ...by, business: 'school', place: itemId }
    await refuseRepeated(trx, taking, sheet.file)
    const sites = new Map<string, string>()
    for (const row of good) {
      const code = row.text.考点代码
      const site = sites.get(code) ?? (await siteOf(trx, stage.tenantId, row, by))
      sites.set(code, site)
      await saveRoom(trx, stage, row, site, by)
    }
    return writeImport(trx, taking, sheet, { total: rows.length, okNum: good.length, wrong: problems, errSheet })
  })
  return answerImport(done)
}
