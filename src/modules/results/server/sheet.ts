import type { Kysely } from 'kysely'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import {
  readTemplate,
  streamWorkbook,
  type TemplateColumn,
  templateWorkbook,
} from '../../../platform/workbook/workbook.ts'
import type { SheetRow } from '../../../platform/workbook/workbook-parse.ts'
import type { Stage } from '../../tickets/server/stage.ts'
import { keptMark, type Mark, markProblems } from '../rules/result-score.ts'
import { type Examinee, examineesOf } from './examinees.ts'

const version = 'result-1'
const flags = ['正常', '缺考', '违纪', '零分'] as const

/** Columns of the sheet of a stage's results. */
const columns = [
  { title: '准考证号', required: true, width: 22, note: '不编排准考证的项目为报名号' },
  { title: '姓名', width: 12, note: '只用来核对；与报名姓名不同的行不导入' },
  { title: '岗位代码', width: 12, note: '只供查看' },
  { title: '成绩', type: 'number', width: 10, note: '最多两位小数；缺考、违纪的留空' },
  { title: '加分', type: 'number', width: 10 },
  { title: '成绩标记', width: 12, options: flags, note: '空 = 正常' },
  { title: '备注', width: 24 },
] as const satisfies readonly TemplateColumn[]

type Title = (typeof columns)[number]['title']

/** Columns by the field a problem is about. */
const columnOf: Record<keyof Mark, Title> = { score: '成绩', addScore: '加分', resultFlag: '成绩标记' }

/** What is wrong with a cell. */
export interface RowProblem {
  row: number
  column: string
  msg: string
}

/** One person's result as a row of a sheet says it. */
export interface ReadResult {
  row: number
  sitter: Examinee
  mark: Mark
  remark: string | null
}

const attended = ['', '', '缺考', '违纪'] as const

/**
 * The sheet to fill in: everybody who is to have a result, with what is known already.
 * @param foot who takes it and when
 */
export async function resultTemplate(db: Kysely<Database>, stage: Stage, foot: string): Promise<Buffer> {
  const sitters = await examineesOf(db, stage)
  const known = await db
    .selectFrom('result')
    .select(['signupId', 'score', 'addScore', 'resultFlag', 'remark'])
    .where('itemId', '=', stage.id)
    .where('isDeleted', '=', 0)
    .execute()
  const byPerson = new Map(known.map(one => [one.signupId, one]))
  const rows = sitters.map(({ signupId, number, name, code, attend }) => {
    const one = byPerson.get(signupId)
    const flag = one ? flags[one.resultFlag - 1] : attended[attend]
    return [number, name, code, one?.score, one?.addScore, flag, one?.remark]
  })
  return templateWorkbook({ sheet: stage.itemName, version, columns, rows, foot })
}

type Texts = Record<Title, string>

function markOf(text: Texts): Mark {
  return { score: text.成绩, addScore: text.加分, resultFlag: flags.indexOf((text.成绩标记 || '正常') as never) + 1 }
}

function problemsOf(text: Texts, sitter: Examinee | undefined, fullScore: string | null): [Title, string][] {
  const found: [Title, string][] = []
  if (text.准考证号 === '') found.push(['准考证号', '请输入准考证号'])
  else if (!sitter) found.push(['准考证号', `本项目没有准考证号为「${text.准考证号}」的有效考生`])
  else if (text.姓名 && text.姓名 !== sitter.name) found.push(['姓名', '与报名姓名不符'])
  const mark = markOf(text)
  if (mark.resultFlag === 0) found.push(['成绩标记', `「${text.成绩标记}」不是可选值`])
  else found.push(...markProblems(mark, fullScore).map(one => [columnOf[one.field], one.msg] as [Title, string]))
  if (text.备注.length > 255) found.push(['备注', '备注最多 255 字'])
  return found
}

/** What a filled-in sheet holds. */
export interface ReadSheet {
  total: number
  good: ReadResult[]
  problems: RowProblem[]
  /** The rows as they were filled in, for the copy with the reasons. */
  rows: SheetRow[]
}

const wrongCell = {
  formula: '不能使用公式，请填写值',
  rounded: '数字过长已失真，请将单元格设为文本后重新填写',
} as const

/**
 * The rows of a filled-in sheet. It takes long: before anything is locked.
 * @throws workbook.templateInvalid, file.contentInvalid, workbook.tooManyRows
 */
export async function readLines(file: Buffer): Promise<SheetRow[]> {
  const lines: SheetRow[] = []
  for await (const line of readTemplate(file, { version, columns })) lines.push(line)
  if (lines.length === 0) throw refuse('workbook.templateInvalid')
  return lines
}

/** Finds everything wrong with a sheet before anything is written. */
export function readResults(lines: readonly SheetRow[], sitters: readonly Examinee[], stage: Stage): ReadSheet {
  const byNumber = new Map(sitters.map(one => [one.number, one]))
  const found: ReadSheet = { total: lines.length, good: [], problems: [], rows: [...lines] }
  const seen = new Map<string, number>()
  for (const { row, cells } of lines) {
    const text = Object.fromEntries(columns.map(({ title }, i) => [title, cells[i]?.text ?? ''])) as Texts
    const sitter = byNumber.get(text.准考证号)
    const wrong = problemsOf(text, sitter, stage.fullScore)
    for (const [i, { kind }] of cells.entries())
      if (kind === 'formula' || kind === 'rounded') wrong.unshift([columns[i]?.title ?? '备注', wrongCell[kind]])
    const first = seen.get(text.准考证号)
    if (first !== undefined) wrong.push(['准考证号', `与第 ${first} 行重复`])
    else if (text.准考证号) seen.set(text.准考证号, row)
    found.problems.push(...wrong.map(([column, msg]) => ({ row, column, msg })))
    if (!wrong.length && sitter)
      found.good.push({ row, sitter, mark: keptMark(markOf(text)), remark: text.备注 || null })
  }
  return found
}

/** A copy of the wrong rows with what is wrong with each in a last column. */
export async function errorSheet({ rows, problems }: ReadSheet): Promise<Buffer> {
  const reasons = new Map<number, string[]>()
  for (const { row, column, msg } of problems) reasons.set(row, [...(reasons.get(row) ?? []), `${column}：${msg}`])
  const wrong = rows.filter(({ row }) => reasons.has(row))
  const lines = wrong.map(({ row, cells }) => [
    String(row),
    ...cells.map(cell => cell.text),
    reasons.get(row)?.join('；'),
  ])
  const heads = [{ title: '行号', width: 8 }, ...columns.map(({ title, width }) => ({ title, width }))]
  const book = streamWorkbook({ sheet: '错误明细', columns: [...heads, { title: '原因', width: 60 }], rows: lines })
  return Buffer.concat(await book.toArray())
}
