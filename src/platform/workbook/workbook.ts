import { Readable } from 'node:stream'
import type { CellValue, DataValidation, WriteSheet } from 'hucre'
import { streamZip, type ZipEntry } from '../files/zip.ts'
import { refuse } from '../http/server/refusal.ts'
import { footOf, packageParts, sheetPath, sheetXml, styleOf } from './sheet-xml.ts'
import type { SheetRow } from './workbook-parse.ts'
import { readRows } from './workbook-read.ts'

export interface Column {
  title: string
  /** In characters. */
  width?: number
  /** `date` and `time` show a Date as it stands in Shanghai; `text` keeps whatever comes as text. Default `text`. */
  type?: 'text' | 'number' | 'date' | 'time'
}

export interface SheetOptions {
  sheet: string
  columns: readonly Column[]
  rows: AsyncIterable<readonly unknown[]> | Iterable<readonly unknown[]>
  /** Who took it and when: stands below every printed page. An export has it. */
  foot?: string
}

const formats: Partial<Record<NonNullable<Column['type']>, string>> = {
  text: '@',
  date: 'yyyy-mm-dd',
  time: 'yyyy-mm-dd hh:mm:ss',
}
/** What XML cannot hold, and what a spreadsheet would not show. */
const unprintable = /[^\P{Cc}\n\t]|\p{Cs}|[\ufffe\uffff]/gu
/** Longest text of a cell. */
const longest = 32_767
const shanghai = 8 * 3600_000

function textCell(value: unknown): string {
  const text =
    value instanceof Date ? value.toISOString() : typeof value === 'object' ? JSON.stringify(value) : String(value)
  return text.replace(unprintable, '').slice(0, longest)
}

/** A cell's value. Texts stay texts whatever they begin with, so `=1+1` is shown and never calculated. */
function cellValue(value: unknown, type: Column['type'] = 'text'): CellValue {
  if (value === null || value === undefined || value === '') return null
  if (type === 'number' && value !== true && value !== false && Number.isFinite(Number(value))) return Number(value)
  if ((type === 'date' || type === 'time') && value instanceof Date) return new Date(value.getTime() + shanghai)
  return textCell(value)
}

async function* cells({ columns, rows }: SheetOptions): AsyncGenerator<CellValue[]> {
  for await (const row of rows) yield columns.map((column, i) => cellValue(row[i], column.type))
}

/** Names of sheets are short and leave out seven characters. */
const sheetName = (name: string): string => name.replace(/[[\]:*?/\\]/g, ' ').slice(0, 31) || 'Sheet1'

const widths = ({ width = 16, type = 'text' }: Column) => ({
  width,
  ...(formats[type] ? { numFmt: formats[type] } : {}),
})

/** The first day an archive knows: what stands in it must not depend on when it was made. */
const firstDay = new Date(1980, 0, 1)

/** The files of the package; the sheet comes last, when its rows have been read. */
async function* parts(options: SheetOptions): AsyncGenerator<ZipEntry> {
  const time = firstDay
  const { columns } = options
  for (const [name, xml] of Object.entries(packageParts(sheetName(options.sheet))))
    yield { name, time, open: async () => Buffer.from(xml) }
  const look = {
    heads: columns.map(column => column.title),
    widths: columns.map(({ width = 16 }) => width),
    styles: columns.map(({ type = 'text' }) => styleOf(formats[type])),
    ...(options.foot && { foot: options.foot }),
  }
  const open = async () => Readable.from(sheetXml(look, cells(options)), { objectMode: false })
  yield { name: sheetPath, time, open }
}

/**
 * A workbook of one sheet as a stream: rows are taken as they are read, so memory does not grow with their number. Written here
 * and not by the library, which makes a dozen objects of each cell: that nearly doubles the time and the garbage.
 */
export function streamWorkbook(options: SheetOptions): Readable {
  return streamZip(parts(options))
}

export interface TemplateColumn extends Column {
  /** `sometimes`: in some rows, as its note says. */
  required?: boolean | 'sometimes'
  /** Shown when a cell of the column is chosen. */
  note?: string
  /** What may be chosen. */
  options?: readonly string[]
}

export interface TemplateOptions {
  sheet: string
  /** What this template is, with a number that rises when its columns change: `position-1`. */
  version: string
  columns: readonly TemplateColumn[]
  /** Filled in already. */
  rows?: readonly (readonly unknown[])[]
  /** Who took it and when, where it holds rows. */
  foot?: string
}

const versionText = ({ version, columns }: Pick<TemplateOptions, 'version' | 'columns'>): string => {
  const isSometimes = columns.some(({ required }) => required === 'sometimes')
  const more = isSometimes ? '，带 (*) 的列在部分情况下必填' : ''
  return `模板版本：${version}（请勿删除或修改本行和表头，带 * 的列必填${more}）`
}
const heads = (columns: readonly TemplateColumn[]): string[] =>
  columns.map(({ title, required }) => (required ? `${required === 'sometimes' ? '(*)' : '*'} ${title}` : title))
/** A heading without its mark: what is required may change without making another template. */
const unmarked = (head: string | undefined): string => head?.replace(/^(\*|\(\*\)) /, '') ?? ''

const letter = (index: number): string =>
  index < 26 ? String.fromCharCode(65 + index) : letter(Math.floor(index / 26) - 1) + letter(index % 26)

const choicesSheet = '可选项'
const lastRow = 20_002

/** Choices stand on a hidden sheet: listed in the rule itself they may not exceed 255 characters. */
function validations(columns: readonly TemplateColumn[]): DataValidation[] {
  return columns.flatMap(({ title, note, options }, i): DataValidation[] => {
    const range = `${letter(i)}3:${letter(i)}${lastRow}`
    const hint = note
      ? { showInputMessage: true, inputTitle: title.slice(0, 32), inputMessage: note.slice(0, 255) }
      : {}
    if (options?.length) {
      const formula1 = `${choicesSheet}!$${letter(i)}$1:$${letter(i)}$${options.length}`
      const refusal = { showErrorMessage: true, errorTitle: title.slice(0, 32), errorMessage: '请从下拉列表中选择' }
      return [{ type: 'list', formula1, allowBlank: true, range, ...refusal, ...hint }]
    }
    return note ? [{ type: 'textLength', operator: 'lessThanOrEqual', formula1: '2000', range, ...hint }] : []
  })
}

function headStyles(columns: readonly TemplateColumn[]) {
  const style = (required: TemplateColumn['required'] = false) => ({
    font: { bold: true, color: { rgb: required ? 'C00000' : '000000' } },
    fill: { type: 'pattern' as const, pattern: 'solid' as const, fgColor: { rgb: 'E8EEF7' } },
  })
  const titles = heads(columns)
  return new Map(columns.map((column, i) => [`1,${i}`, { value: titles[i] ?? null, style: style(column.required) }]))
}

/** A workbook to fill in: version line, marked heads, drop-downs and hints. */
export async function templateWorkbook(options: TemplateOptions): Promise<Buffer> {
  const { sheet, columns, rows = [], foot } = options
  const most = Math.max(0, ...columns.map(column => column.options?.length ?? 0))
  const choices = Array.from({ length: most }, (_, row) => columns.map(column => column.options?.[row] ?? null))
  const main: WriteSheet = {
    name: sheetName(sheet),
    rows: [
      [versionText(options)],
      heads(columns),
      ...rows.map(row => columns.map((column, i) => cellValue(row[i], column.type))),
    ],
    columns: columns.map(widths),
    cells: headStyles(columns),
    dataValidations: validations(columns),
    freezePane: { rows: 2 },
    ...(foot && { headerFooter: { oddFooter: footOf(foot) } }),
  }
  const sheets: WriteSheet[] = most > 0 ? [main, { name: choicesSheet, rows: choices, hidden: true }] : [main]
  const { writeXlsx } = await import('hucre')
  const bytes = await writeXlsx({ sheets })
  return Buffer.from(bytes)
}

/**
 * The rows somebody filled into a template, cells in the template's order. Refuses workbook.templateInvalid when its
 * version line or its heads are not this template's, and whatever `readRows` refuses.
 */
export async function* readTemplate(
  buffer: Buffer,
  { version, columns }: Pick<TemplateOptions, 'version' | 'columns'>,
): AsyncGenerator<SheetRow, void, undefined> {
  let line = 0
  for await (const one of readRows(buffer, { heads: 2, columns: Math.max(columns.length, 1) })) {
    line++
    const texts = one.cells.map(cell => cell.text)
    if (line === 1 && !texts[0]?.startsWith(`模板版本：${version}（`)) throw refuse('workbook.templateInvalid')
    if (line === 2 && columns.some(({ title }, i) => unmarked(texts[i]) !== title))
      throw refuse('workbook.templateInvalid')
    if (line > 2)
      yield { row: one.row, cells: columns.map((_, i) => one.cells[i] ?? { kind: 'empty', text: '', value: null }) }
  }
  if (line < 2) throw refuse('workbook.templateInvalid')
}
