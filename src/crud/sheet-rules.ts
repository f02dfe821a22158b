import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Sheet, SheetColumn, SheetColumnName, SheetFixed, SheetFound, SheetLine, SheetRow } from '#engine'
import type { Reader, Trx } from '../platform/database/database.ts'
import type { Person } from '../platform/http/server/access.ts'
import { type Refusal, refuse } from '../platform/http/server/refusal.ts'

/** What rules of a sheet have at hand. */
export interface SheetContext<S = unknown, H = unknown> {
  app: FastifyInstance
  request: FastifyRequest
  person: Person
  now: Date
  /** The transaction of an import, or the pool where nothing is written. */
  db: Reader
  /** The values that hold for all rows and came with the call. */
  fixed: SheetFixed<S>
  /** What `begin` gave. */
  held: H
}

/** What rules have at hand where rows are written. */
export interface SheetSaving<S = unknown, H = unknown> extends SheetContext<S, H> {
  trx: Trx
  /** The task that an import leaves, with its file. */
  taskId: string
}

/** What is wrong with a row, by the name of a column. */
export interface RowProblem<N extends string = string> {
  readonly field: N
  readonly msg: string
}

/** A row of a workbook that was read, with what was found by its key. */
export interface ReadLine<S, F> {
  /** Its number as the spreadsheet shows it. */
  readonly row: number
  readonly values: SheetRow<S>
  readonly found: F
  /** Cells of the columns of an open sheet that its rules named, by their headings. */
  readonly more: Readonly<Record<string, string>>
}

/** What only the module of a sheet knows: which rows are meant, what is wrong with them beyond their fields, and what is kept. */
export interface RulesOfSheet<S, F, H, R> {
  /** Key of dictionary `import_biz`, under which imports are written down. */
  readonly business: string
  /** `taken`: the same file may come again within ten minutes; others are refused (input.repeated). */
  readonly repeats?: 'taken'
  /** The refusal of a workbook without rows; workbook.templateInvalid unless said. */
  readonly empty?: () => Refusal
  /** Further columns of an open sheet, with the version of a template that has them. */
  readonly more?: (ctx: Omit<SheetContext<S>, 'held'>) => Promise<{ version: string; columns: readonly SheetColumn[] }>
  /** In the transaction, before anything is looked up: locks what the rows belong to, and refuses what cannot be imported now. */
  readonly begin?: (ctx: Omit<SheetContext<S>, 'held' | 'db'> & { trx: Trx }) => Promise<H>
  /** The rows of a template that is not empty. */
  readonly prefill?: (ctx: Omit<SheetContext<S>, 'held'>) => Promise<readonly SheetLine<S>[]>
  /**
   * What the keys of some rows mean: each with its key as it stands in the workbook. `same` columns are compared with it, and a
   * row for which nothing is found is wrong.
   */
  readonly find?: (ctx: SheetContext<S, H>, rows: readonly SheetRow<S>[]) => Promise<readonly F[]>
  /** What is said of a row for which nothing is found. */
  readonly absent?: (row: SheetRow<S>) => string
  /** What is wrong with a row that could be read, beyond its fields. */
  readonly check?: (
    row: SheetRow<S>,
    found: NoInfer<F>,
    ctx: SheetContext<S, NoInfer<H>>,
  ) => readonly RowProblem<SheetColumnName<S>>[]
  /** What is wrong with rows that are right each by itself, such as two that want the same place. */
  readonly compare?: (
    rows: readonly ReadLine<S, NoInfer<F>>[],
    ctx: SheetContext<S, NoInfer<H>>,
  ) => readonly (RowProblem<SheetColumnName<S>> & { readonly row: number })[]
  /** Before the transaction, with the rows that will be saved: calls to other systems, which a transaction must not wait for. */
  readonly before?: (rows: readonly ReadLine<S, NoInfer<F>>[], ctx: Omit<SheetContext<S>, 'held'>) => Promise<void>
  /** Keeps the rows that are right. Called only if there is one and the import takes it. */
  readonly save: (rows: readonly ReadLine<S, NoInfer<F>>[], ctx: SheetSaving<S, NoInfer<H>>) => Promise<R>
}

/** The refusal of a workbook in which no row was filled in, for `empty`. */
export const noRows = (): Refusal => refuse('input.invalid', { 说明: '文件中没有数据' })

/** The rules of one sheet, made by {@link sheetRules}. */
export interface SheetRules<S = Sheet, F = unknown, H = unknown, R = unknown> {
  readonly sheet: S
  readonly given: RulesOfSheet<S, F, H, R>
}

/**
 * Says what a sheet cannot: how the rows that its key means are found, what is wrong with a row beyond its fields, and what is
 * kept of it. Reading, comparing, naming every wrong cell, the copy with the reasons and the task are done for all sheets alike.
 */
export const sheetRules = <S extends Sheet, F extends SheetFound<S>, H, R>(
  sheet: S,
  given: RulesOfSheet<S, F, H, R>,
): SheetRules<S, F, H, R> => ({ sheet, given })

/** The rules of some sheet, for what looks at all of them. */
export interface SheetEntry {
  readonly sheet: Sheet
  readonly given: object
}

/** What does not fit together of sheets and their rules: one sentence for each problem, naming the sheet. */
export function sheetRuleProblems(sheets: readonly Sheet[], list: readonly SheetEntry[]): string[] {
  const strange = list.filter(({ sheet }) => !sheets.includes(sheet))
  return [
    ...strange.map(({ sheet }) => `rules: ${sheet.version} is no sheet of resources/sheets.ts`),
    ...sheets.flatMap(sheet => {
      const at = `rules: ${sheet.version}`
      const own = list.filter(one => one.sheet === sheet)
      const [rules] = own
      if (!rules) return [`${at}: the sheet has no rules, so nothing is done with its rows`]
      const isCompared = sheet.columns.some(({ role }) => role === 'same')
      return [
        ...(own.length > 1 ? [`${at}: the sheet has rules twice`] : []),
        ...(isCompared && !('find' in rules.given)
          ? [`${at}: nothing finds the rows that columns are compared with`]
          : []),
        ...(sheet.key.length === 0 && 'find' in rules.given
          ? [`${at}: rows are looked for, but the sheet has no key`]
          : []),
        ...(sheet.open !== 'more' in rules.given
          ? [`${at}: an open sheet, and no other, has rules that name more columns`]
          : []),
      ]
    }),
  ]
}
