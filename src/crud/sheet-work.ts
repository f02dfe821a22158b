import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Sheet, SheetColumn, SheetFixed } from '#engine'
import { sheetRowEntity } from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { takenBy } from '../platform/pdf/taken-by.ts'
import { asFile } from './export.ts'
import { type Values, withDefaults } from './input.ts'
import type { BadCell, CellsRead } from './sheet-read.ts'
import type { ReadLine, RulesOfSheet, SheetContext, SheetRules } from './sheet-rules.ts'
import {
  baseOf,
  type Layout,
  type Saving,
  type SheetBase,
  type SheetOutcome,
  type SheetWork,
  takeSheet,
  uploadOf,
  writeSheet,
} from './sheet-take.ts'

/** Rules of any sheet, for code that reads rows by the names of columns. */
interface LooseRules<R> extends Omit<RulesOfSheet<Sheet, Values, unknown, R>, 'find' | 'absent' | 'check' | 'save'> {
  find?: (ctx: SheetContext, rows: readonly Values[]) => Promise<readonly Values[]>
  absent?: (row: Values) => string
  check?: (row: Values, found: Values, ctx: SheetContext) => readonly { field: string; msg: string }[]
  save: (rows: readonly Line[], ctx: object) => Promise<R>
}

/** A row with what was found by its key. */
interface Line {
  row: number
  values: Values
  found: Values
  more: Readonly<Record<string, string>>
}

type Fixed = Readonly<Record<string, string>>

const keyOf = (key: readonly string[], row: Values): string | null =>
  key.some(name => row[name] === null || row[name] === undefined || row[name] === '')
    ? null
    : JSON.stringify(key.map(name => String(row[name])))

/** What is done with a workbook of a sheet that has rules. */
class RulesWork<R> implements SheetWork<unknown, Line, R> {
  readonly layout: Layout
  readonly business: string
  readonly once: boolean
  readonly triesAll = false
  readonly #sheet: Sheet
  readonly #rules: LooseRules<R>
  readonly #fixed: Fixed

  constructor(sheet: Sheet, rules: LooseRules<R>, layout: Layout, fixed: Fixed) {
    this.layout = layout
    this.business = rules.business
    this.once = rules.repeats !== 'taken'
    this.#sheet = sheet
    this.#rules = rules
    this.#fixed = fixed
  }

  empty = () => this.#rules.empty?.() ?? refuse('workbook.templateInvalid')

  async begin(base: SheetBase, trx: Trx) {
    const held = await this.#rules.begin?.({ ...base, trx, fixed: this.#fixed as never })
    return { held, place: Object.values(this.#fixed)[0] || null, fixed: {} }
  }

  get before() {
    const { before } = this.#rules
    if (!before) return undefined
    return (base: SheetBase, rows: readonly Line[]) =>
      before(rows as readonly ReadLine<Sheet, Values>[], { ...base, db: base.app.db, fixed: this.#fixed as never })
  }

  async judge(base: SheetBase, db: Reader, held: unknown, rows: readonly CellsRead[]) {
    const ctx: SheetContext = { ...base, db, held, fixed: this.#fixed as never }
    const defaults = withDefaults(this.layout.row, {}, base.now)
    const none = Object.fromEntries(Object.keys(this.layout.row.properties).map(name => [name, null]))
    const whole = rows.map(one => ({ ...one, values: { ...none, ...defaults, ...one.values } }))
    const found = await this.#found(ctx, whole)
    const wrong = this.#repeated(whole)
    const lines: Line[] = []
    for (const { row, values, bad } of whole) {
      const problems = this.#problemsOf(values, bad, found, ctx)
      const cells = problems.map(({ field, msg }) => ({ row, column: this.#titleOf(field), msg }))
      wrong.push(...bad, ...cells)
      const line = found?.get(keyOf(this.#sheet.key, values) ?? '')
      if (bad.length === 0 && cells.length === 0)
        lines.push({ row, values, found: line ?? {}, more: this.#moreOf(values) })
    }
    const isWrong = new Set(wrong.map(({ row }) => row))
    const right = lines.filter(({ row }) => !isWrong.has(row))
    const compared = this.#rules.compare?.(right as readonly ReadLine<Sheet, Values>[], ctx) ?? []
    wrong.push(...compared.map(({ row, field, msg }) => ({ row, column: this.#titleOf(field), msg })))
    const isOut = new Set(compared.map(({ row }) => row))
    return { good: right.filter(({ row }) => !isOut.has(row)), errors: wrong }
  }

  async save(saving: Saving<unknown>, rows: readonly Line[]) {
    const saved = await this.#rules.save(rows, { ...saving, db: saving.trx, fixed: this.#fixed })
    return { refused: [], saved }
  }

  /** Cells of the columns that the rules named, by their headings. */
  #moreOf(values: Values): Record<string, string> {
    const more = this.layout.columns.slice(this.#sheet.columns.length)
    return Object.fromEntries(more.map(({ name, field }) => [field.title, String(values[name] ?? '')]))
  }

  /** The title of a column by its name. */
  #titleOf(name: string): string {
    return this.layout.columns.find(column => column.name === name)?.field.title ?? name
  }

  /** What rows mean, by their key; undefined for a sheet whose rows are all new. */
  async #found(ctx: SheetContext, rows: readonly CellsRead[]): Promise<ReadonlyMap<string, Values> | undefined> {
    const { find } = this.#rules
    if (!find) return undefined
    const { key } = this.#sheet
    const known = rows.filter(({ values }) => keyOf(key, values) !== null)
    const all = await find(
      ctx,
      known.map(({ values }) => values),
    )
    return new Map(all.map(one => [keyOf(key, one) ?? '', one]))
  }

  /** Rows that have the key of an earlier one. */
  #repeated(rows: readonly CellsRead[]): BadCell[] {
    const seen = new Map<string, number>()
    const column = this.#titleOf(this.#sheet.key.at(-1) ?? '')
    return rows.flatMap(({ row, values }) => {
      const key = keyOf(this.#sheet.key, values)
      if (key === null || this.#sheet.key.length === 0) return []
      const first = seen.get(key)
      if (first === undefined) seen.set(key, row)
      return first === undefined ? [] : [{ row, column, msg: `与第 ${first} 行重复` }]
    })
  }

  /** What is wrong with a row beside the cells that could not be read. */
  #problemsOf(
    values: Values,
    bad: readonly BadCell[],
    found: ReadonlyMap<string, Values> | undefined,
    ctx: SheetContext,
  ): { field: string; msg: string }[] {
    const { absent, check } = this.#rules
    const key = keyOf(this.#sheet.key, values)
    const line = found && key !== null ? found.get(key) : undefined
    const last = this.#sheet.key.at(-1) ?? ''
    const problems: { field: string; msg: string }[] = []
    const isKeyRead = this.#sheet.key.every(name => !bad.some(({ column }) => column === this.#titleOf(name)))
    if (found && !line && key !== null && isKeyRead)
      problems.push({ field: last, msg: absent?.(values) ?? `「${String(values[last])}」不存在` })
    if (line) problems.push(...this.#differing(values, line))
    if (bad.length === 0 && (line || !found)) problems.push(...(check?.(values, line ?? {}, ctx) ?? []))
    return problems
  }

  #differing(values: Values, line: Values): { field: string; msg: string }[] {
    return this.layout.columns.flatMap(({ name, role, field, differs }) => {
      const given = values[name]
      if (role !== 'same' || given === null || given === undefined) return []
      return String(given) === String(line[name] ?? '')
        ? []
        : [{ field: name, msg: differs?.replace('{value}', String(line[name])) ?? `${field.title}与系统中的不符` }]
    })
  }
}

/** The layout of a sheet for a call: an open one has the columns that its rules name. */
async function layoutOf(base: SheetBase, sheet: Sheet, rules: LooseRules<unknown>, fixed: Fixed): Promise<Layout> {
  const more = await rules.more?.({ ...base, db: base.app.db, fixed: fixed as never })
  if (!more) return sheet
  const { title } = sheet
  const columns: readonly SheetColumn[] = [...sheet.columns, ...more.columns]
  return { title, version: more.version, columns, row: sheetRowEntity({ title, version: more.version }, columns) }
}

const looseOf = <R>(given: object) => given as LooseRules<R>

/**
 * Answers with the workbook to fill in, with the rows that its rules give.
 * @param fixed values that hold for all rows; the caller may work with them
 * @param as the name of the file, and of its sheet where it is not the title of the sheet
 */
export async function sendSheet<S extends Sheet, F, H, R>(
  request: FastifyRequest,
  reply: FastifyReply,
  { sheet, given }: SheetRules<S, F, H, R>,
  fixed: SheetFixed<S>,
  as: { file: string; title?: string },
): Promise<FastifyReply> {
  const base = baseOf(request)
  const rules = looseOf<R>(given)
  const layout = await layoutOf(base, sheet, rules, fixed)
  const rows = (await rules.prefill?.({ ...base, db: base.app.db, fixed: fixed as never })) ?? []
  const foot = rules.prefill && takenBy(base.person, base.now)
  const book = await writeSheet(base, layout, as.title ?? sheet.title, rows as readonly Values[], foot)
  return asFile(reply, as.file).send(book)
}

/**
 * Takes the workbook of a call in, by the rules of its sheet.
 * @param fixed values that hold for all rows; the caller may change what belongs to them
 * @throws workbook.templateInvalid, input.repeated, file.contentInvalid, workbook.tooManyRows, and what the rules refuse
 */
export async function receiveSheet<S extends Sheet, F, H, R>(
  request: FastifyRequest,
  { sheet, given }: SheetRules<S, F, H, R>,
  fixed: SheetFixed<S>,
): Promise<SheetOutcome<R>> {
  const upload = await uploadOf(request)
  const rules = looseOf<R>(given)
  const layout = await layoutOf(baseOf(request), sheet, rules, fixed)
  return takeSheet(request, new RulesWork(sheet, rules, layout, fixed), upload)
}
