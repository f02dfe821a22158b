import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entity, flag, integer, optional, type Sheet, type SheetColumn, sheet, text } from '#engine'
import { sheets } from '#resources/sheets'
import { type TestApp, testApp } from '../../tests/helper/app.ts'
import { type Caller, signIn } from '../../tests/helper/person.ts'
import { readTemplate, templateWorkbook } from '../platform/workbook/workbook.ts'
import type { SheetRow } from '../platform/workbook/workbook-parse.ts'
import { readRows } from '../platform/workbook/workbook-read.ts'
import type { Values } from './input.ts'
import { templateColumns, wordsOf } from './sheet-columns.ts'
import { readCells } from './sheet-read.ts'
import { writeSheet } from './sheet-take.ts'
import type { Words } from './words.ts'

let t: TestApp
let person: Caller

beforeAll(async () => {
  t = await testApp()
  person = await signIn(t, { role: 'administrator' })
})
afterAll(() => t.close())

const reader = () => ({ app: t.app, db: t.db, person: person as never, now: t.app.now() })
const whole = (one: Sheet) => ({ columns: one.columns, row: one.row, fixed: {} })

/** The rows of a workbook of a sheet. */
async function rowsOf(book: Buffer, one: Sheet): Promise<SheetRow[]> {
  const words = await wordsOf(t.app, person.tenantId, one.columns)
  const rows: SheetRow[] = []
  for await (const row of readTemplate(book, {
    version: one.version,
    columns: templateColumns(one.columns, one.row, words),
  }))
    rows.push(row)
  return rows
}

/** A value that the field of a column allows, as the database has it. */
function sampleOf({ field }: SheetColumn, words: ReadonlyMap<string, Words>): unknown {
  if (field.dict) return field.enum?.[0] ?? [...(words.get(field.dict)?.byKey.keys() ?? [])][0] ?? null
  if (field.kind === 'dateTime') return new Date('2026-06-01T00:00:00Z')
  if (field.kind === 'integer' || field.kind === 'money') return 1
  if (field.kind === 'decimal') return '1.5'
  return { idCard: '11010519491231002X', phone: '13812345678', email: 'a@b.cn' }[String(field.format)] ?? 'A1'
}

describe.each(sheets.map(one => [one.version, one] as const))('%s', (_, one) => {
  async function filledIn(): Promise<Values> {
    const words = await wordsOf(t.app, person.tenantId, one.columns)
    return Object.fromEntries(one.columns.map(column => [column.name, sampleOf(column, words)]))
  }

  test('is read as it was written', async () => {
    const line = await filledIn()
    const [read] = await readCells(
      reader(),
      whole(one),
      await rowsOf(await writeSheet({ app: t.app, person: person as never }, one, 'x', [line]), one),
    )
    expect(read?.bad).toEqual([])
    const asked = one.columns.filter(({ role }) => role !== 'shown').map(({ name }) => name)
    for (const name of asked) expect([name, String(read?.values[name])]).toEqual([name, String(line[name])])
  })

  test('names every cell that is empty and must not be, or holds a formula', async () => {
    const line = await filledIn()
    const asked = one.columns.filter(({ asked: when }) => when === 'always')
    expect(asked.length).toBeGreaterThan(0)
    const [row] = await rowsOf(await writeSheet({ app: t.app, person: person as never }, one, 'x', [line]), one)
    for (const spoiled of ['empty', 'formula'] as const)
      for (const column of asked) {
        const at = one.columns.indexOf(column)
        const cells = row!.cells.map((cell, i) =>
          i === at ? { kind: spoiled, text: spoiled === 'empty' ? '' : cell.text, value: null } : cell,
        )
        const [read] = await readCells(reader(), whole(one), [{ row: 7, cells }])
        expect(read?.bad.map(cell => [cell.row, cell.column])).toEqual([[7, column.field.title]])
      }
  })
})

const Lamp = entity(
  'lamp',
  '灯',
  { name: text('名称'), dimmed: flag('可调光'), steps: optional(integer('级数', { minimum: 2 })) },
  { requiredWhen: { steps: { dimmed: 1 } } },
)
const lamps = sheet(Lamp, { title: '灯', version: 'lamp-1', key: ['name'], columns: ['name', 'dimmed', 'steps'] })

describe('what is required in some rows', () => {
  test('is marked, and its note says when', async () => {
    const words = await wordsOf(t.app, person.tenantId, lamps.columns)
    const [name, , steps] = templateColumns(lamps.columns, lamps.row, words)
    expect(name).toMatchObject({ title: '名称', required: true })
    expect(steps).toMatchObject({ title: '级数', required: 'sometimes', note: '可调光为「是」时必填' })
    const rows: string[][] = []
    for await (const row of readRows(await writeSheet({ app: t.app, person: person as never }, lamps, '灯')))
      rows.push(row.cells.map(cell => cell.text))
    expect(rows[1]).toEqual(['* 名称', '可调光', '(*) 级数'])
  })

  test('is missed in those rows only, whatever the mark of the heading', async () => {
    const columns = lamps.columns.map(({ field }) => ({ title: field.title }))
    const cells = [
      ['甲', '是', ''],
      ['乙', '否', ''],
      ['丙', '是', '1'],
    ]
    const book = await templateWorkbook({ sheet: '灯', version: 'lamp-1', columns, rows: cells })
    const read = await readCells(reader(), whole(lamps), await rowsOf(book, lamps))
    expect(read.flatMap(({ bad }) => bad)).toEqual([
      { row: 3, column: '级数', msg: '请输入级数' },
      { row: 5, column: '级数', msg: '级数不能小于2' },
    ])
  })
})
