import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Entity, type Field, type Kind, missingMessage, type Resource, tableOf } from '#engine'
import type { Cell, SheetRow } from '../platform/workbook/workbook-parse.ts'
import { expression, ident, q, raw } from './fragment.ts'
import type { BadCell, ReadRow } from './import-cells.ts'
import { repeated, taken } from './import-unique.ts'
import { askedValues, readInput, type Values, withDefaults, wrongInput } from './input.ts'
import { resourceOf, scopeOf } from './scope.ts'
import type { Write } from './store.ts'
import { readWords, type Words } from './words.ts'

/** Kinds that no cell can hold. */
const notInCells: readonly Kind[] = ['image', 'file', 'json', 'richText', 'secret']

/** The columns of a resource's import: the inputs of its form, in their order. */
export function importColumns({ entity, form }: Resource): { name: string; field: Field; required: boolean }[] {
  return form.flatMap(group =>
    group.inputs.flatMap(({ field: name }) => {
      const field = entity.properties[name]
      if (!field || notInCells.includes(field.kind)) return []
      return [{ name, field, required: entity.required.includes(name) && field.default === undefined }]
    }),
  )
}

type Columns = ReturnType<typeof importColumns>

/** Ids by label of one referenced entity; one label may belong to rows of several exams. */
type Labels = ReadonlyMap<string, readonly { id: string; examId: string | null }[]>

/** Looks up every label a column names in one query. */
async function findLabels(write: Write, field: Field, labels: readonly string[]): Promise<Labels> {
  const target = resourceOf(field.ref ?? '')
  const { entity } = target
  const exam = entity.properties.examId ? 't."examId"::text' : 'NULL'
  const scope = scopeOf(write.person, target, write.now)
  const label = raw(`t.${ident(entity.label)}::text`)
  const { rows } = await expression<{ id: string; label: string; examId: string | null }>(
    q`SELECT t.id::text AS id, ${label} AS label, ${raw(exam)} AS "examId" FROM ${raw(ident(tableOf(entity.name)))} t
      WHERE ${label} = ANY(${labels}) AND ${scope}`,
  ).execute(write.trx)
  const found = new Map<string, { id: string; examId: string | null }[]>()
  for (const row of rows) found.set(row.label, [...(found.get(row.label) ?? []), row])
  return found
}

interface Reading {
  columns: Columns
  /** Values of a new row in which nothing is entered. */
  defaults: Values
  /** Values that hold for every row, such as the exam whose page the file was given to. */
  fixed: Values
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

function idOf(labels: Labels | undefined, text: string, examId: unknown): string | { msg: string } {
  const found = labels?.get(text) ?? []
  const same = examId ? found.filter(one => one.examId === null || one.examId === examId) : found
  const [only, other] = same
  if (!only) return { msg: `「${text}」不存在` }
  return other ? { msg: `「${text}」有多个同名` } : only.id
}

const money = (text: string) => (/^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : text)
const fullTime = (text: string) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text)

/** The value of a cell as a submit would send it, or what is wrong with it. */
function cellValue(reading: Reading, name: string, field: Field, cell: Cell, row: Values): unknown | { msg: string } {
  if (cell.kind === 'formula') return { msg: '不能使用公式，请填写值' }
  if (cell.kind === 'rounded') return { msg: '数字过长已失真，请将单元格设为文本后重新填写' }
  const { text } = cell
  const fixed = reading.fixed[name]
  if (text === '') return fixed ?? ''
  if (field.dict) {
    const keys = (field.kind === 'dicts' ? parts(text) : [text]).map(one =>
      keyOf(reading.words.get(field.dict ?? ''), one),
    )
    return keys.includes(null) ? { msg: `「${text}」不是可选值` } : keys.join(',')
  }
  if (field.ref) {
    const ids = (field.kind === 'refs' ? parts(text) : [text]).map(one =>
      idOf(reading.labels.get(name), one, row.examId),
    )
    if (fixed !== undefined && !ids.includes(String(fixed))) return { msg: `「${text}」不是当前的${field.title}` }
    return ids.find(id => typeof id === 'object') ?? ids.join(',')
  }
  if (field.kind === 'money') return money(text)
  return field.kind === 'dateTime' ? fullTime(text) : text
}

const isBad = (value: unknown): value is { msg: string } =>
  typeof value === 'object' && value !== null && 'msg' in value

function readRow(entity: Entity, reading: Reading, { row, cells }: SheetRow): ReadRow | BadCell[] {
  const body: Values = {}
  const bad: BadCell[] = []
  reading.columns.forEach(({ name, field, required }, i) => {
    const cell = cells[i] ?? { kind: 'empty', text: '', value: null }
    const value = cellValue(reading, name, field, cell, body)
    if (isBad(value)) bad.push({ row, column: field.title, msg: value.msg })
    else if (value !== '') body[name] = value
    else if (required) bad.push({ row, column: field.title, msg: missingMessage(field) })
  })
  const read = readInput(entity, body, 'add')
  const { values, problems: lacking } = askedValues(entity, read.values, reading.defaults)
  const problems = [...read.problems, ...lacking]
  const named = new Set(bad.map(one => one.column))
  for (const { field, msg } of problems) {
    const column = entity.properties[field]?.title ?? field
    const isAsked = reading.columns.some(one => one.name === field)
    if (isAsked && !named.has(column)) bad.push({ row, column, msg })
  }
  return bad.length > 0 ? bad : { row, values }
}

/** Those values of an address that stand for a column of references; each must be a row the caller may meet. */
async function fixedValues(write: Write, columns: Columns, given: Values): Promise<Values> {
  const fixed: Values = {}
  for (const { name, field } of columns) {
    const id = given[name]
    if (!field.ref || field.kind !== 'ref' || id === undefined || id === '') continue
    const target = resourceOf(field.ref)
    const table = raw(ident(tableOf(target.entity.name)))
    const scope = scopeOf(write.person, target, write.now)
    const { rows } = await expression(
      q`SELECT t.id FROM ${table} t WHERE t.id::text = ${String(id)} AND ${scope}`,
    ).execute(write.trx)
    if (!rows.length) throw wrongInput([{ field: name, msg: `${field.title}不存在，请重新选择` }])
    fixed[name] = String(id)
  }
  return fixed
}

async function prepareReading(write: Write, rows: readonly SheetRow[], given: Values): Promise<Reading> {
  const { resource, app, person } = write
  const columns = importColumns(resource)
  const words = await readWords(
    app,
    person.tenantId,
    columns.map(one => one.field),
  )
  const labels = new Map<string, Labels>()
  for (const [i, { name, field }] of columns.entries()) {
    if (!field.ref) continue
    const named = rows.flatMap(row => parts(row.cells[i]?.text ?? '').concat(row.cells[i]?.text ?? ''))
    labels.set(name, await findLabels(write, field, [...new Set(named.filter(Boolean))]))
  }
  const defaults = withDefaults(resource.entity, {}, write.now)
  return { columns, defaults, words, labels, fixed: await fixedValues(write, columns, given) }
}

/** A sheet that was read and checked. */
export interface ReadSheet {
  rows: readonly SheetRow[]
  /** Rows that may be added. */
  good: readonly ReadRow[]
  errors: readonly BadCell[]
  /** Values that held for every row, by field. */
  fixed: Values
}

/**
 * Reads and checks a whole sheet before anything is written: each cell, what rows repeat, what the table holds already.
 * @param given values that hold for rows which leave the column empty: `{ examId }`
 */
export async function readSheet(write: Write, rows: readonly SheetRow[], given: Values = {}): Promise<ReadSheet> {
  const { entity } = write.resource
  const reading = await prepareReading(write, rows, given)
  const read: (ReadRow | BadCell[])[] = []
  for (const row of rows) {
    read.push(readRow(entity, reading, row))
    // Thousands of rows take a second or more, in which others want their answers.
    if (read.length % 200 === 0) await nextTurn()
  }
  const right = read.filter((one): one is ReadRow => !Array.isArray(one))
  const twice = [...repeated(entity, right), ...(await taken(write, right))]
  const bad = new Set(twice.map(({ row }) => row))
  const errors = [...read.flatMap(one => (Array.isArray(one) ? one : [])), ...twice]
  return { rows, good: right.filter(({ row }) => !bad.has(row)), errors, fixed: reading.fixed }
}
