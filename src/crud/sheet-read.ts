import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import {
  type Entity,
  type Field,
  missingMessage,
  type SheetColumn,
  tableOf,
  type Wire,
  type wrongCellShape,
} from '#engine'
import type { Person } from '../platform/http/server/access.ts'
import type { Cell, SheetRow as FileRow } from '../platform/workbook/workbook-parse.ts'
import { ident } from './fragment.ts'
import { askedValues, readInput, type Values, withDefaults } from './input.ts'
import { resourceOf } from './lookup.ts'
import { scopeOf } from './scope.ts'
import { readWords, type Words } from './words.ts'

/** What is wrong with one cell of a workbook. */
export type BadCell = Wire<typeof wrongCellShape>

/** A row that was read, with its number in the file. */
export interface ReadRow {
  row: number
  values: Values
}

/** Ids by label of one referenced entity, with the value that the row must share (`within`): several may have one label. */
type Labels = ReadonlyMap<string, readonly { id: string; shared: string | null }[]>

/** On whose behalf a workbook is read: labels are found among the rows that this person may meet. */
export interface Reader {
  app: FastifyInstance
  db: FastifyInstance['db']
  person: Person
  now: Date
}

/** Looks up every label a column names in one query. */
async function findLabels({ app, db, person, now }: Reader, field: Field, labels: readonly string[]): Promise<Labels> {
  const target = resourceOf(field.ref ?? '')
  const { entity } = target
  const shared = field.within ? `t.${ident(field.within)}::text` : 'NULL'
  const scope = scopeOf(app, person, target, now)
  const label = sql.raw(`t.${ident(entity.label)}::text`)
  const { rows } = await sql<{
    id: string
    label: string
    shared: string | null
  }>`SELECT t.id::text AS id, ${label} AS label, ${sql.raw(shared)} AS shared FROM ${sql.raw(ident(tableOf(entity.name)))} t
      WHERE ${label} = ANY(${labels}) AND ${scope}`.execute(db)
  const found = new Map<string, { id: string; shared: string | null }[]>()
  for (const row of rows) found.set(row.label, [...(found.get(row.label) ?? []), row])
  return found
}

/** What is wanted of a workbook: its columns, one row as an entity, and values that hold for all rows. */
export interface Wanted {
  columns: readonly SheetColumn[]
  row: Entity
  /** Values of rows that leave the column empty; a cell that says another is wrong. */
  fixed: Values
}

interface Reading extends Wanted {
  /** Values of a new row in which nothing is entered. */
  defaults: Values
  words: ReadonlyMap<string, Words>
  labels: ReadonlyMap<string, Labels>
}

const parts = (text: string) =>
  text
    .split(/[,，、]/)
    .map(one => one.trim())
    .filter(Boolean)

/** The key of a word; keys are taken as they are. */
function keyOf(words: Words | undefined, text: string): string | null {
  return words?.byWord.get(text) ?? (words?.byKey.has(text) ? text : null)
}

function idOf(labels: Labels | undefined, text: string, value: unknown): string | { msg: string } {
  const found = labels?.get(text) ?? []
  const same = value ? found.filter(({ shared }) => shared === null || shared === value) : found
  const [only, other] = same
  if (!only) return { msg: `「${text}」不存在` }
  return other ? { msg: `「${text}」有多个同名` } : only.id
}

const money = (text: string) => (/^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : text)
const fullTime = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text)

/** What cannot be trusted, whatever it says. */
const distrusted: Readonly<Partial<Record<Cell['kind'], string>>> = {
  formula: '不能使用公式，请填写值',
  rounded: '数字过长已失真，请将单元格设为文本后重新填写',
}

/** The value of a cell as a submit would send it, or what is wrong with it. */
function cellValue(reading: Reading, { name, field, judgedBy }: SheetColumn, cell: Cell, row: Values): unknown {
  const msg = distrusted[cell.kind]
  if (msg) return { msg }
  const { text } = cell
  const fixed = reading.fixed[name]
  if (text === '') return fixed ?? ''
  if (judgedBy) return text
  if (field.dict) {
    const keys = (field.kind === 'dicts' ? parts(text) : [text]).map(one =>
      keyOf(reading.words.get(field.dict ?? ''), one),
    )
    return keys.includes(null) ? { msg: `「${text}」不是可选值` } : keys.join(',')
  }
  if (field.ref) {
    const ids = (field.kind === 'refs' ? parts(text) : [text]).map(one =>
      idOf(reading.labels.get(name), one, field.within && row[field.within]),
    )
    if (fixed !== undefined && !ids.includes(String(fixed))) return { msg: `「${text}」不是当前的${field.title}` }
    return ids.find(id => typeof id === 'object') ?? ids.join(',')
  }
  if (field.kind === 'money') return money(text)
  return field.kind === 'dateTime' ? fullTime(text) : text
}

const isBad = (value: unknown): value is { msg: string } =>
  typeof value === 'object' && value !== null && 'msg' in value

const noCell: Cell = { kind: 'empty', text: '', value: null }

/** A row as far as it could be read, and every cell of it that is wrong. */
export interface CellsRead extends ReadRow {
  bad: readonly BadCell[]
}

function readRow(reading: Reading, { row, cells }: FileRow): CellsRead {
  const entity = reading.row
  const body: Values = {}
  const judged: Values = {}
  const bad: BadCell[] = []
  for (const [i, column] of reading.columns.entries()) {
    if (column.role === 'shown') continue
    const { name, field, asked, judgedBy } = column
    const value = cellValue(reading, column, cells[i] ?? noCell, body)
    if (isBad(value)) bad.push({ row, column: field.title, msg: value.msg })
    else if (judgedBy) judged[name] = value || null
    else if (value !== '') body[name] = value
    else if (asked === 'always') bad.push({ row, column: field.title, msg: missingMessage(field) })
  }
  const read = readInput(entity, body, 'add')
  const { values, problems: lacking } = askedValues(entity, read.values, reading.defaults)
  const named = new Set(bad.map(one => one.column))
  const judgedElsewhere = new Set(Object.keys(judged))
  for (const { field, msg } of [...read.problems, ...lacking]) {
    const column = entity.properties[field]?.title ?? field
    const isRead = reading.columns.some(one => one.name === field && one.role !== 'shown')
    if (isRead && !named.has(column) && !judgedElsewhere.has(field)) bad.push({ row, column, msg })
  }
  return { row, values: { ...values, ...judged }, bad }
}

async function prepareReading(reader: Reader, wanted: Wanted, rows: readonly FileRow[]): Promise<Reading> {
  const { columns, row } = wanted
  const words = await readWords(
    reader.app,
    reader.person.tenantId,
    columns.map(one => one.field),
  )
  const labels = new Map<string, Labels>()
  for (const [i, { name, field, role }] of columns.entries()) {
    if (!field.ref || role === 'shown') continue
    const named = rows.flatMap(one => parts(one.cells[i]?.text ?? '').concat(one.cells[i]?.text ?? ''))
    labels.set(name, await findLabels(reader, field, [...new Set(named.filter(Boolean))]))
  }
  return { ...wanted, defaults: withDefaults(row, {}, reader.now), words, labels }
}

/** Reads the cells of a whole workbook: each by its column's field, and what a row asks for on a condition. */
export async function readCells(reader: Reader, wanted: Wanted, rows: readonly FileRow[]): Promise<CellsRead[]> {
  const reading = await prepareReading(reader, wanted, rows)
  const read: CellsRead[] = []
  for (const one of rows) {
    read.push(readRow(reading, one))
    // Thousands of rows take a second or more, in which others want their answers.
    if (read.length % 200 === 0) await nextTurn()
  }
  return read
}
