import type { FastifyInstance } from 'fastify'
import type { Condition, Entity, Field, SheetColumn } from '#engine'
import { wireTime } from '../platform/http/server/wire.ts'
import type { TemplateColumn } from '../platform/workbook/workbook.ts'
import { readWords, type Words, wordOf } from './words.ts'

/** A condition as people read it: `需要缴费为「是」`. */
function conditionText(condition: Condition, { properties }: Entity, words: ReadonlyMap<string, Words>): string {
  const tests = Object.entries(condition).map(([name, test]) => {
    const isNot = typeof test === 'object' && test !== null && 'not' in test
    const values = [isNot ? test.not : test].flat()
    const { title = name, dict = '' } = properties[name] ?? {}
    const shown = values.map(value => (value === null ? '空' : `「${wordOf(words.get(dict), String(value))}」`))
    return `${title}${isNot ? '不' : ''}为${shown.join('或')}`
  })
  return tests.join('且')
}

/** Kinds whose cells are numbers, so that a spreadsheet can calculate with them. */
const numeric: readonly Field['kind'][] = ['integer', 'decimal', 'money']

/** The choices of a column, in the order offered. Of several keys in one cell no list can be offered, of regions too many. */
function choicesOf({ field, judgedBy, role }: SheetColumn, words: ReadonlyMap<string, Words>): readonly string[] {
  if (judgedBy || role === 'shown' || field.kind === 'dicts' || field.dict === 'region') return []
  return [...(words.get(field.dict ?? '')?.byKey.values() ?? [])]
}

/** The columns of a template, with marks, choices and hints from their fields. */
export function templateColumns(
  columns: readonly SheetColumn[],
  row: Entity,
  words: ReadonlyMap<string, Words>,
): TemplateColumn[] {
  return columns.map(column => {
    const { name, field, width, asked } = column
    const condition = row.requiredWhen[name]
    const when = condition && `${conditionText(condition, row, words)}时必填`
    const note = [field.help, when].filter(Boolean).join('；')
    const options = choicesOf(column, words)
    return {
      title: field.title,
      width,
      required: asked === 'always' || (asked === 'sometimes' && condition ? 'sometimes' : false),
      ...(numeric.includes(field.kind) && { type: 'number' as const }),
      ...(note && { note }),
      ...(options.length > 0 && { options }),
    }
  })
}

/** A value of the database as a cell shows it, so that reading it back gives the same value. */
export function cellOf({ field }: SheetColumn, value: unknown, words: ReadonlyMap<string, Words>): unknown {
  if (value === null || value === undefined || value === '') return null
  if (field.dict) return wordOf(words.get(field.dict), String(value))
  if (field.kind === 'money') return Number(value) / 100
  if (numeric.includes(field.kind)) return Number(value)
  return value instanceof Date ? wireTime(value) : String(value)
}

/** The words of all columns, as a tenant has them. */
export const wordsOf = (app: Pick<FastifyInstance, 'pool'>, tenantId: string, columns: readonly SheetColumn[]) =>
  readWords(
    app,
    tenantId,
    columns.map(({ field }) => field),
  )
