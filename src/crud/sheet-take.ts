import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Entity, SheetColumn } from '#engine'
import { ImportMode } from '#schemas/dictionaries'
import type { Reader, Trx } from '../platform/database/database.ts'
import { person as callerOf, type Person } from '../platform/http/server/access.ts'
import { oneFile } from '../platform/http/server/form.ts'
import { afterWork, type Refusal, refuse } from '../platform/http/server/refusal.ts'
import { wantsEnglish } from '../platform/http/server/refusal-english.ts'
import { inEnglish } from '../platform/i18n/english.ts'
import { readTemplate, templateWorkbook } from '../platform/workbook/workbook.ts'
import type { SheetRow as FileRow } from '../platform/workbook/workbook-parse.ts'
import type { Values } from './input.ts'
import { cellOf, templateColumns, wordsOf } from './sheet-columns.ts'
import { type BadCell, type CellsRead, type ReadRow, readCells } from './sheet-read.ts'
import { reasonSheet } from './sheet-reasons.ts'
import { beginTask, endTask, refuseRepeated, type Upload } from './sheet-task.ts'

/** How a template is written and what one row of it is. */
export interface Layout {
  title: string
  version: string
  columns: readonly SheetColumn[]
  row: Entity
}

/** What everything about a workbook has at hand. */
export interface SheetBase {
  app: FastifyInstance
  request: FastifyRequest
  person: Person
  now: Date
}

/** What a workbook belongs to, once it is locked. */
export interface Begun<H> {
  held: H
  /** The row that the workbook is about. */
  place: string | null
  /** Values of rows that leave the column empty. */
  fixed: Values
}

/** Rows that are right, and every cell that is wrong. */
export interface Judged<L extends ReadRow> {
  good: readonly L[]
  errors: readonly BadCell[]
}

/** How rows are kept. */
export interface Saving<H> extends SheetBase {
  trx: Trx
  held: H
  taskId: string
  /** Rows that are wrong already; null where the others are taken all the same. */
  wrong: number | null
}

/** What an import does at each point; the order of the points is the same for all. */
export interface SheetWork<H, L extends ReadRow, R> {
  layout: Layout
  /** Key of dictionary `import_biz`, or the name of a resource. */
  business: string
  /** Whether the same file is refused when it comes again. */
  once: boolean
  /** Refuses a workbook without rows. */
  empty?: () => Refusal
  /** Whether saving is tried although nothing will stay, to learn what would be refused. */
  triesAll: boolean
  begin(base: SheetBase, trx: Trx): Promise<Begun<H>>
  judge(base: SheetBase, db: Reader, held: H, rows: readonly CellsRead[]): Promise<Judged<L>>
  /** Done before the transaction; with it, rows are judged before the transaction, too. */
  before?: (base: SheetBase, rows: readonly L[]) => Promise<void>
  save(saving: Saving<H>, rows: readonly L[]): Promise<{ refused: readonly BadCell[]; saved: R | null }>
}

/** What became of a workbook. */
export interface SheetOutcome<R = unknown> {
  taskId: string
  mode: 1 | 2
  /** Rows of the file, those taken in, and those that are wrong. */
  total: number
  success: number
  failed: number
  errors: readonly BadCell[]
  /** Id of the copy of the workbook with the reasons; null when no row was wrong. */
  errFile: string | null
  /** What saving gave; null when there was nothing to save. */
  saved: R | null
}

/** On whose behalf a call about a workbook is. */
export const baseOf = (request: FastifyRequest): SheetBase => ({
  app: request.server,
  request,
  person: callerOf(request),
  now: request.server.now(),
})

/**
 * The workbook of a call; `mode` may stand in the address or beside the file.
 * @throws input.invalid without a file, file.typeNotAllowed for one whose name ends otherwise
 */
export async function uploadOf(request: FastifyRequest, ending = '.xlsx'): Promise<Upload> {
  const file = oneFile(request, ending)
  const { mode } = { ...(request.query as Values), ...request.form?.fields }
  return {
    file: await file.bytes(),
    fileName: file.filename,
    mode: String(mode).trim() === '2' ? ImportMode.validRows : ImportMode.allOrNothing,
  }
}

/**
 * A workbook to fill in, empty or with rows in it.
 * @param title name of its sheet
 * @param rows values by column, as the database has them
 * @param foot who took it and when, where it is made of stored rows
 */
export async function writeSheet(
  { app, person }: Pick<SheetBase, 'app' | 'person'>,
  { version, columns, row }: Layout,
  title: string,
  rows: readonly Values[] = [],
  foot?: string,
): Promise<Buffer> {
  const words = await wordsOf(app, person.tenantId, columns)
  return templateWorkbook({
    sheet: title,
    version,
    columns: templateColumns(columns, row, words),
    rows: rows.map(line => columns.map(column => cellOf(column, line[column.name], words))),
    ...(foot && { foot }),
  })
}

/** Every wrong cell in the order of the file: by row, and in a row by column. */
function inOrder(errors: readonly BadCell[], columns: readonly SheetColumn[]): BadCell[] {
  const places = new Map(columns.map(({ field }, i) => [field.title, i]))
  const place = ({ column }: BadCell) => places.get(column) ?? columns.length
  return errors.toSorted((one, other) => one.row - other.row || place(one) - place(other))
}

/**
 * Takes a filled-in workbook. It is read before anything is locked; in one transaction its rows are judged and saved, and
 * the import is written down with its file and a copy that says what was wrong. Mode 1 takes all rows or none, mode 2 those
 * that are right.
 * @throws workbook.templateInvalid another template, input.repeated a file taken in within the last ten minutes, and what the
 * work refuses
 */
export async function takeSheet<H, L extends ReadRow, R>(
  request: FastifyRequest,
  work: SheetWork<H, L, R>,
  upload: Upload,
): Promise<SheetOutcome<R>> {
  const base = baseOf(request)
  const { app, person, now } = base
  const { layout } = work
  const words = await wordsOf(app, person.tenantId, layout.columns)
  const template = { version: layout.version, columns: templateColumns(layout.columns, layout.row, words) }
  const filled: FileRow[] = []
  for await (const row of readTemplate(upload.file, template)) filled.push(row)
  if (filled.length === 0 && work.empty) throw work.empty()
  const judge = async (db: Reader, { held, fixed }: Begun<H>) =>
    work.judge(base, db, held, await readCells({ app, db, person, now }, { ...layout, fixed }, filled))
  const isWhole = upload.mode === ImportMode.allOrNothing
  const takes = ({ good, errors }: Judged<L>) => good.length > 0 && !(isWhole && errors.length > 0)
  let judged: Judged<L> | undefined
  if (work.before) {
    judged = await judge(app.db, { held: undefined as H, place: null, fixed: {} })
    if (takes(judged)) await work.before(base, judged.good)
  }
  return app.db.transaction().execute(async trx => {
    const begun = await work.begin(base, trx)
    const { storage } = app
    const { tenantId, userId } = person
    const taking = { storage, tenantId, userId, now, business: work.business, place: begun.place }
    if (work.once) await refuseRepeated(trx, taking, upload.file)
    const { good, errors: wrong } = judged ?? (await judge(trx, begun))
    const taskId = await beginTask(trx, taking, upload)
    const isSaved = takes({ good, errors: wrong }) || (good.length > 0 && work.triesAll)
    const { refused, saved } = isSaved
      ? await work.save({ ...base, trx, held: begun.held, taskId, wrong: isWhole ? wrong.length : null }, good)
      : { refused: [], saved: null }
    const errors = inOrder([...wrong, ...refused], layout.columns)
    const failed = new Set(errors.map(({ row }) => row)).size
    const success = isWhole && failed > 0 ? 0 : good.length - refused.length
    const inWords = wantsEnglish(request.headers['accept-language']) ? inEnglish : String
    const errSheet = await reasonSheet({ sheet: layout.title, ...template }, filled, errors, upload.mode, inWords)
    const outcome = { totalNum: filled.length, okNum: success, errNum: failed, errSheet }
    const errFile = await endTask(trx, taking, taskId, upload, outcome)
    return { taskId, mode: upload.mode, total: filled.length, success, failed, errors, errFile, saved }
  })
}

/** The answer of an import as most calls have it. */
export const asTotals = ({ total, success, failed, errors, errFile }: SheetOutcome) => ({
  total,
  success,
  failed,
  errors,
  errFile: errFile ?? '',
})

/** The answer of an import that counts the rows taken and those refused. */
export const asCounts = ({ taskId, success, failed, errors, errFile }: SheetOutcome) => ({
  taskId,
  okNum: success,
  errNum: failed,
  rows: errors,
  errFile,
})

/**
 * What became of a workbook, as the call answers it.
 * @param isRefused whether nothing was taken in, so that the answer is a refusal; in mode 1 with a wrong row unless said
 * @throws workbook.rowsInvalid with the answer as its data; the import stays written down
 */
export function answerSheet<T, R>(
  outcome: SheetOutcome<R>,
  answer: T,
  isRefused = outcome.mode === ImportMode.allOrNothing && outcome.failed > 0,
): T {
  if (isRefused) throw afterWork(refuse('workbook.rowsInvalid', { n: outcome.failed }, answer))
  return answer
}
