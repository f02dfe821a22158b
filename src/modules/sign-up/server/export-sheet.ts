import type { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { columnField, type Field, maskSealed } from '#engine'
import { type SheetColumn, sheetColumns, usualColumns } from '#resources/sign-up/sheet-columns'
import { signup } from '#resources/sign-up/signup'
import { FormInputType } from '#schemas/dictionaries'
import type { Counted } from '../../../crud/export-kind.ts'
import { readWords, type Words, wordOf } from '../../../crud/words.ts'
import type { Dicts } from '../../../engine/form-field.ts'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type Column, streamWorkbook } from '../../../platform/workbook/workbook.ts'
import { visibleItems } from '../../exams/rules/sign-form.ts'
import type { Content, SignItem } from '../../exams/rules/sign-item.ts'
import { showValue } from '../../exams/rules/sign-text.ts'
import { loadRegions } from '../../exams/server/candidate/dictionaries.ts'
import { formDicts, loadForm, regionCodes } from '../../exams/server/candidate/exam-form.ts'
import { rowsOf, type Selection } from './export-rows.ts'
import { postNames } from './my-list.ts'
import type { Ticketed } from './ticket-state.ts'

/** The columns of a call. @throws input.invalid for one that is not offered */
export function columnsOf(asked: readonly string[]): readonly SheetColumn[] {
  const unknown = asked.find(one => !(sheetColumns as readonly string[]).includes(one))
  if (unknown !== undefined) throw refuse('input.invalid', { 说明: `没有列${unknown.slice(0, 30)}` })
  return asked.length > 0 ? sheetColumns.filter(one => asked.includes(one)) : usualColumns
}

const titles: Readonly<Record<string, string>> = {
  examName: '考试',
  finalPost: '岗位名称',
  idCardMask: '证件号码',
  phoneMask: '手机号码',
}

interface Around {
  caller: Caller
  words: ReadonlyMap<string, Words>
  exams: ReadonlyMap<string, string>
  posts: (examId: string, code: string) => string
}

const fieldNamed = (name: SheetColumn): Field | undefined => columnField(signup, name)

/** One cell: words for keys, times as they stand in Shanghai, sealed texts opened where they were asked for. */
function cellOf(row: SignupRow & Ticketed, name: SheetColumn, { caller, words, exams, posts }: Around): unknown {
  if (name === 'examName') return exams.get(row.examId)
  if (name === 'finalPost') return posts(row.examId, row.finalCode ?? row.code)
  if (name === 'idCardMask') return maskSealed(caller.vault.open(row.idCard))
  if (name === 'phoneMask') return row.phone ? maskSealed(caller.vault.open(row.phone)) : ''
  const value = row[name]
  if (value === null) return ''
  if (name === 'idCard' || name === 'phone') return caller.vault.open(String(value))
  if (value instanceof Date) return wireTime(value)
  const dict = fieldNamed(name)?.dict
  return dict ? wordOf(words.get(dict), String(value)) : value
}

/** The form of the one exam a sheet is about: its items become columns. */
interface FormColumns {
  items: SignItem[]
  dicts: Dicts
}

/** Items that hold something to show in a cell. */
async function formColumns(db: Db, examId: string): Promise<FormColumns> {
  const { items } = await loadForm(db, examId)
  const shown = items.filter(item => item.inputType !== FormInputType.note)
  return { items: shown, dicts: await formDicts(db, shown, true) }
}

function formCells(row: SignupRow, { items, dicts }: FormColumns): string[] {
  if (items.length === 0) return []
  const content = row.content as Content
  const visible = new Set(visibleItems(items, content, row.type).map(item => item.itemCode))
  return items.map(item => (visible.has(item.itemCode) ? showValue(item, content[item.itemCode], dicts) : ''))
}

/** The names of exams that rows belong to, kept from one portion to the next. */
async function learnExams(db: Db, exams: Map<string, string>, rows: readonly SignupRow[]): Promise<void> {
  const unknown = [...new Set(rows.map(row => row.examId))].filter(id => !exams.has(id))
  if (unknown.length === 0) return
  const found = await db.selectFrom('examination').select(['id', 'examName']).where('id', 'in', unknown).execute()
  for (const { id, examName } of found) exams.set(id, examName)
}

/** What a sheet is made of. */
export interface SheetOrder {
  selection: Selection
  columns: readonly SheetColumn[]
  /** An exam whose form items become columns too. */
  formOf: string | null
  /** Stands in the last row: who took it, when and what for. */
  watermark: string
}

/** Sign-ups as a workbook, read and sent some at a time; the last row says who took it. */
export async function signupSheet(
  app: FastifyInstance,
  caller: Caller,
  order: SheetOrder,
  counted: Counted,
): Promise<Readable> {
  const { db, person } = caller
  const { columns, selection } = order
  const fields = columns.flatMap(name => fieldNamed(name) ?? [])
  const words = await readWords(app, person.tenantId, fields)
  const form = order.formOf ? await formColumns(db, order.formOf) : { items: [], dicts: {} }
  const exams = new Map<string, string>()
  async function* cells(): AsyncGenerator<unknown[]> {
    for await (const rows of rowsOf(app, caller, selection, form.items.length > 0)) {
      await learnExams(db, exams, rows)
      const around = { caller, words, exams, posts: await postNames(db, rows) }
      const codes = rows.flatMap(row => regionCodes(form.items, row.content as Content))
      const dicts = { ...form.dicts, region: await loadRegions(db, codes) }
      for (const row of rows)
        yield [...columns.map(name => cellOf(row, name, around)), ...formCells(row, { ...form, dicts })]
    }
  }
  async function* marked(): AsyncGenerator<unknown[]> {
    yield* counted(cells())
    yield [order.watermark]
  }
  const heads: Column[] = [
    ...columns.map(name => ({ title: titles[name] ?? fieldNamed(name)?.title ?? name, width: 18 })),
    ...form.items.map(item => ({ title: item.itemName, width: 20 })),
  ]
  return streamWorkbook({ sheet: '报名', columns: heads, rows: marked(), foot: order.watermark })
}
