import { type CellValue, streamXlsxRows } from 'hucre'
import { followPart } from '../files/archive.ts'
import { advice } from '../files/file-advice.ts'
import { Refusal, refuse } from '../http/server/refusal.ts'
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
  /** Its part of the archive. */
  part: string
}

const attribute = (tag: string, name: string): string => new RegExp(`\\b${name}="([^"]*)"`).exec(tag)?.[1] ?? ''

/** The first sheet people see. */
function firstSheet(parts: ReadonlyMap<string, Buffer>): FirstSheet {
  const book = parts.get('xl/workbook.xml')?.toString('utf8') ?? ''
  const relations = parts.get('xl/_rels/workbook.xml.rels')?.toString('utf8') ?? ''
  const sheets = [...book.matchAll(/<(?:\w+:)?sheet\s[^>]*>/g)].map(match => match[0])
  const index = sheets.findIndex(tag => !/state="(hidden|veryHidden)"/.test(tag))
  const id = attribute(sheets[index] ?? '', '\\w+:id')
  const relation = [...relations.matchAll(/<Relationship\s[^>]*>/g)].find(
    match => attribute(match[0], 'Id') === id,
  )?.[0]
  return { index, part: attribute(relation ?? '', 'Target').replace(/^\/?(xl\/)?/, 'xl/') }
}

/** A cell of a sheet with a formula, a cell, a row: what is counted before anything is made of it. */
const tokens = /<(?:\w+:)?(row|c|f)(?=[\s/>])([^<>]*)/g
/** Longest piece without the end of a tag. */
const longestTag = 1024 ** 2

/** Follows a sheet as it is unpacked: where it has formulas, and whether it holds more than anybody fills in. */
function follow(formulas: Set<string>): (chunk: Buffer) => void {
  let rest = ''
  let cell = ''
  let cells = 0
  return chunk => {
    const text = rest + chunk.toString('latin1')
    const end = text.lastIndexOf('>') + 1
    rest = text.slice(end)
    if (rest.length > longestTag) throw refuse('file.contentInvalid', { 做法: advice.office })
    for (const [, kind, attributes = ''] of text.slice(0, end).matchAll(tokens)) {
      if (kind === 'c') {
        if (++cells > workbookLimits.cells) throw refuse('file.contentInvalid', { 做法: advice.office })
        cell = attributes
      } else if (kind === 'row') cell = ''
      else {
        const at = /\br="([A-Z]+)(\d+)"/.exec(cell)
        // A formula whose cell cannot be told might be any cell.
        if (!at) throw refuse('workbook.templateInvalid')
        formulas.add(`${Number(at[2]) - 1},${columnOf(at[1] ?? '')}`)
      }
    }
  }
}

/** Reading of a workbook: rows taken at most, those above them that do not count, and columns that anybody asks for. */
export interface Wanted {
  maxRows: number
  heads: number
  columns: number
}

/**
 * The rows of a workbook's first visible sheet, without blank ones at its end or between. The file is checked before
 * the first row: file.contentInvalid no workbook or too much of it; workbook.tooManyRows on the row after `maxRows`. It
 * is to run in a thread: what a workbook holds once unpacked is up to who made it.
 */
export async function* parseRows(buffer: Buffer, { maxRows, heads, columns }: Wanted): AsyncGenerator<SheetRow> {
  const parts = await workbookParts(buffer, name => /^xl\/(workbook\.xml$|_rels\/)/.test(name))
  const { index, part } = firstSheet(parts)
  const formulas = new Set<string>()
  await followPart(buffer, part, follow(formulas))
  let rows = 0
  let letters = 0
  try {
    for await (const { index: row, values } of streamXlsxRows(buffer, { sheet: index })) {
      const cells = values
        .slice(0, columns)
        .map(cellOf)
        .map((cell, column): Cell => (formulas.has(`${row},${column}`) ? { ...cell, kind: 'formula' } : cell))
      if (cells.every(cell => cell.kind === 'empty')) continue
      if (++rows > maxRows + heads) throw refuse('workbook.tooManyRows', { n: maxRows })
      // A text stands once in the file and in any number of cells.
      for (const { text } of cells) letters += text.length
      if (letters > workbookLimits.letters) throw refuse('file.contentInvalid', { 做法: advice.office })
      yield { row: row + 1, cells }
    }
  } catch (error) {
    throw error instanceof Refusal ? error : refuse('file.contentInvalid', { 做法: advice.office })
  }
}
