import type { Kysely, Transaction } from 'kysely'
import { readTemplate, type TemplateColumn, templateWorkbook } from '../../documents/workbook.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import type { Mover } from '../exam/release.ts'
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

/** What is wrong with a cell. */
export interface RowProblem {
  row: number
  column: string
  msg: string
}

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
function problemsOf({ row, text }: RoomRow): RowProblem[] {
  const found: RowProblem[] = []
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
): Promise<{ rows: RoomRow[]; problems: RowProblem[] }> {
  const keys = new Map([...subjects].flatMap(([key, word]) => [[key, key] as const, [word, key] as const]))
  const rows: RoomRow[] = []
  const problems: RowProblem[] = []
  const seen = new Map<string, number>()
  for await (const { row, cells } of readTemplate(file, { version, columns })) {
    if (cells.every(cell => cell.kind === 'empty')) continue
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
  return { rows, problems }
}

/** The site of a row, made or brought up to date. */
async function siteOf(trx: Transaction<Database>, tenantId: string, { text }: RoomRow, mover: Mover): Promise<string> {
  const stamp = { updateUser: mover.userId, updateTime: mover.now }
  const values = { schoolName: text.名称, address: text.地址, ...stamp }
  const known = await trx
    .selectFrom('school')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('schoolType', '=', 2)
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
      schoolType: 2,
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
  mover: Mover,
): Promise<void> {
  const { text } = row
  const number = (value: string) => (value === '' ? null : Number(value))
  const values = {
    ...{
      roomName: text.教室 || null,
      rows: number(text.排),
      cols: number(text.列),
      capacity: Number(text.座位数 || 30),
      reserve: number(text.预留),
    },
    ...{
      subject: text.科目 || null,
      isSpecial: text.特殊 === '是' ? (1 as const) : (0 as const),
      updateUser: mover.userId,
      updateTime: mover.now,
    },
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

/** What came of an import. */
export interface Imported {
  okNum: number
  errNum: number
  rows: RowProblem[]
}

/**
 * Takes sites and rooms of a stage from a workbook; a room known by its site and number is brought up to date.
 * @param mode 1 imports nothing when a row is bad (28006), 2 imports the good rows
 * @throws 25008 when the seats are locked, 28005 for another sheet
 */
export async function importRooms(
  db: Kysely<Database>,
  { tenantId, itemId }: { tenantId: string; itemId: string },
  file: Buffer,
  mode: 1 | 2,
  mover: Mover,
): Promise<Imported> {
  const { rows, problems } = await readSheet(file, await subjectsOf(db, tenantId))
  if (!rows.length) throw refuse(28005)
  const bad = new Set(problems.map(one => one.row))
  const answer = { okNum: rows.length - bad.size, errNum: bad.size, rows: problems }
  if (mode === 1 && bad.size) throw refuse(28006, { n: bad.size }, { ...answer, okNum: 0 })
  await db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.seatStatus === 2) throw refuse(25008)
    const sites = new Map<string, string>()
    for (const row of rows.filter(one => !bad.has(one.row))) {
      const code = row.text.考点代码
      const site = sites.get(code) ?? (await siteOf(trx, stage.tenantId, row, mover))
      sites.set(code, site)
      await saveRoom(trx, stage, row, site, mover)
    }
  })
  return answer
}
