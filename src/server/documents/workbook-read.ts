import { type CellValue, streamXlsxRows } from 'hucre'
import { Refusal, refuse } from '../domain/refusal.ts'
import { workbookLimits, workbookParts } from './workbook-parts.ts'

/**
 * A cell that was read. `formula` is not to be trusted and is a bad row; `rounded` is a number with more digits than
 * a spreadsheet keeps (an ID number entered as a number): its last digits are lost.
 */
export interface Cell {
  kind: 'empty' | 'text' | 'number' | 'date' | 'bool' | 'formula' | 'rounded'
  /** As text: trimmed, composed; a date as `yyyy-MM-dd` with its time when it has one. */
  text: string
  value: CellValue
}

/** A row with its number as the spreadsheet shows it, from 1. */
export interface SheetRow {
  row: number
  cells: Cell[]
}

/** The column's letters to its place from 0: A, B … Z, AA. */
const columnOf = (letters: string): number =>
  [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1

/** More than this a double cannot hold to the last digit. */
const exact = 10 ** 15
const scientific = /^\d(\.\d+)?E\+?\d+$/i

function dateText(date: Date): string {
  const [day, time] = date.toISOString().slice(0, 19).split('T')
  return time === '00:00:00' ? day! : `${day} ${time}`
}

function cellOf(value: CellValue): Cell {
  if (value === null || value === '') return { kind: 'empty', text: '', value: null }
  if (value instanceof Date) return { kind: 'date', text: dateText(value), value }
  if (typeof value === 'boolean') return { kind: 'bool', text: value ? '是' : '否', value }
  if (typeof value === 'number') {
    return { kind: Math.abs(value) >= exact ? 'rounded' : 'number', text: String(value), value }
  }
  const text = value.normalize('NFC').trim()
  if (text === '') return { kind: 'empty', text: '', value: null }
  return { kind: scientific.test(text) ? 'rounded' : 'text', text, value }
}

interface FirstSheet {
  index: number
  /** Cells that hold a formula, as `row,column`, both from 0. */
  formulas: ReadonlySet<string>
}

const attribute = (tag: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

/** The first sheet people see, and where it has formulas, which the row reader does not tell. */
function firstSheet(parts: ReadonlyMap<string, Buffer>): FirstSheet {
  const book = parts.get('xl/workbook.xml')?.toString('utf8') ?? ''
  const relations = parts.get('xl/_rels/workbook.xml.rels')?.toString('utf8') ?? ''
  const sheets = [...book.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(match => match[0])
  const index = sheets.findIndex(tag => !/state="(hidden|veryHidden)"/.test(tag))
  const id = attribute(sheets[index] ?? '', '\\w+:id')
  const relation = [...relations.matchAll(/<Relationship\s[^>]*>/g)].find(match => attribute(match[0], 'Id') === id)
  const target = attribute(relation?.[0] ?? '', 'Target').replace(/^\/?(xl\/)?/, 'xl/')
  const sheet = parts.get(target)
  if (!sheet) throw refuse(28003)
  return { index, formulas: formulasOf(sheet.toString('latin1')) }
}

function formulasOf(sheet: string): Set<string> {
  const found = new Set<string>()
  for (const match of sheet.matchAll(/<(?:\w+:)?c\s([^>]*)>\s*<(?:\w+:)?f[\s/>]/g)) {
    const at = /\br="([A-Z]+)(\d+)"/.exec(match[1]!)
    if (at) found.add(`${Number(at[2]) - 1},${columnOf(at[1]!)}`)
  }
  const all = sheet.match(/<(?:\w+:)?f[\s/>]/g)?.length ?? 0
  // A formula whose cell cannot be told might be any cell.
  if (all > found.size) throw refuse(28005)
  return found
}

/**
 * The rows of a workbook's first visible sheet, without blank ones at its end or between. The file is checked before
 * the first row: 28003 no workbook or too large unpacked; 28008 on the row after `maxRows` (20,000).
 */
export async function* readRows(
  buffer: Buffer,
  { maxRows = workbookLimits.rows, heads = 0 }: { maxRows?: number; heads?: number } = {},
): AsyncGenerator<SheetRow, void, undefined> {
  const parts = await workbookParts(buffer, name => /^xl\/(workbook\.xml|_rels\/|worksheets\/[^/]+\.xml)/.test(name))
  const { index, formulas } = firstSheet(parts)
  parts.clear()
  let rows = 0
  try {
    for await (const { index: row, values } of streamXlsxRows(buffer, { sheet: index })) {
      const cells = values
        .map(cellOf)
        .map((cell, column): Cell => (formulas.has(`${row},${column}`) ? { ...cell, kind: 'formula' } : cell))
      if (cells.every(cell => cell.kind === 'empty')) continue
      if (++rows > maxRows + heads) throw refuse(28008, { n: maxRows })
      yield { row: row + 1, cells }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuse(28003)
  }
}
