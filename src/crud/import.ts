import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Resource } from '#engine'
import { ImportMode } from '#schemas/dictionaries'
import { advice } from '../platform/files/file-advice.ts'
import { person } from '../platform/http/server/access.ts'
import { type Envelope, ok } from '../platform/http/server/envelope.ts'
import { oneFile } from '../platform/http/server/form.ts'
import { afterWork, refuse } from '../platform/http/server/refusal.ts'
import {
  readTemplate,
  type TemplateColumn,
  type TemplateOptions,
  templateWorkbook,
} from '../platform/workbook/workbook.ts'
import type { SheetRow } from '../platform/workbook/workbook-parse.ts'
import { asFile } from './export.ts'
import type { BadCell } from './import-cells.ts'
import { importColumns, readSheet } from './import-rows.ts'
import { saveRows } from './import-save.ts'
import { refuseRepeated, type Sheet, type Taking, writeTask } from './import-task.ts'
import type { Values } from './input.ts'
import { reasonSheet } from './reason-sheet.ts'
import { inWrite, type Write } from './store.ts'
import { readWords } from './words.ts'

/** What became of an import. */
export interface ImportResult {
  /** Rows in the file. */
  total: number
  success: number
  failed: number
  errors: readonly BadCell[]
  /** Id of the copy of the sheet with the reasons, `""` when no row was wrong. */
  errFile: string
}

const version = (resource: Resource) => `${resource.name}-1`

async function templateColumns(request: FastifyRequest, resource: Resource): Promise<TemplateColumn[]> {
  const columns = importColumns(resource)
  const { tenantId } = person(request)
  const words = await readWords(
    request.server,
    tenantId,
    columns.map(one => one.field).filter(field => field.dict !== 'region'),
  )
  return columns.map(({ field, required }) => {
    const known = field.kind === 'dicts' ? undefined : words.get(field.dict ?? '')
    const options = known ? [...known.byKey.values()] : undefined
    return {
      title: field.title,
      required,
      width: 20,
      ...(field.help ? { note: field.help } : {}),
      ...(options?.length ? { options } : {}),
    }
  })
}

/** Answers with the workbook to fill in. */
export async function sendTemplate(request: FastifyRequest, reply: FastifyReply, resource: Resource) {
  const columns = await templateColumns(request, resource)
  const book = await templateWorkbook({ sheet: resource.title, version: version(resource), columns })
  return asFile(reply, `${resource.title}导入模板.xlsx`).send(book)
}

/** The file and the mode of an import call; the mode may stand in the address or beside the file. */
async function receive(request: FastifyRequest): Promise<Sheet> {
  if (!request.form) throw refuse('file.typeNotAllowed', { 做法: advice.exts(['xlsx']) })
  const file = oneFile(request, '.xlsx')
  const { mode } = { ...(request.query as Values), ...request.form?.fields }
  return {
    file: await file.bytes(),
    fileName: file.filename,
    mode: mode === '2' ? ImportMode.validRows : ImportMode.allOrNothing,
  }
}

const byRow = (errors: readonly BadCell[]): BadCell[] => [...errors].sort((one, other) => one.row - other.row)

/** Resources whose business has another name than they (`import_biz`). */
const businesses: Readonly<Record<string, string>> = { examitems: 'position' }

/** @param fixed the values that the address gave for every row: the exam or other row the workbook is about */
function takingOf({ app, person: { tenantId, userId }, now, resource }: Write, fixed: Values): Taking {
  const [place] = Object.values(fixed)
  const business = businesses[resource.name] ?? resource.name
  return { storage: app.storage, tenantId, userId, now, business, place: place === undefined ? null : String(place) }
}

type Template = Pick<TemplateOptions, 'version' | 'columns'>

/** The whole import in one transaction: the file is checked, the rows are added, what came of it is written down. */
async function take(
  write: Write,
  sheet: Sheet,
  filled: readonly SheetRow[],
  template: Template,
): Promise<ImportResult> {
  const { resource, request } = write
  const { rows, good, errors: wrong, fixed } = await readSheet(write, filled, request.query as Values)
  const taking = takingOf(write, fixed)
  await refuseRepeated(write.trx, taking, sheet.file)
  const isWhole = sheet.mode === ImportMode.allOrNothing
  const refused = await saveRows(write, good, isWhole ? wrong.length : null)
  const errors = byRow([...wrong, ...refused])
  const bad = new Set(errors.map(({ row }) => row))
  const success = isWhole && bad.size > 0 ? 0 : good.length - refused.length
  const errSheet = await reasonSheet({ sheet: resource.title, ...template }, rows, errors, sheet.mode)
  const outcome = { totalNum: rows.length, okNum: success, errNum: bad.size, errSheet }
  const { errFile } = await writeTask(write.trx, taking, sheet, outcome)
  return { total: rows.length, success, failed: bad.size, errors, errFile: errFile ?? '' }
}

/**
 * Takes a filled-in workbook; a reference named in the address (`import?examId=`) holds for rows that leave it empty.
 * The whole file is checked first; mode 1 takes all rows or none (workbook.rowsInvalid), mode 2 the good ones. Every
 * import is written down with its file and a copy that says what was wrong. @throws input.repeated for a file taken in
 * within the last ten minutes
 */
export async function receiveImport(request: FastifyRequest, resource: Resource): Promise<Envelope> {
  const sheet = await receive(request)
  const template = { version: version(resource), columns: await templateColumns(request, resource) }
  // Before the transaction, which others would wait for.
  const filled: SheetRow[] = []
  for await (const row of readTemplate(sheet.file, template)) filled.push(row)
  const result = await inWrite(request, resource, write => take(write, sheet, filled, template))
  if (sheet.mode === ImportMode.allOrNothing && result.failed > 0)
    throw afterWork(refuse('workbook.rowsInvalid', { n: result.failed }, result))
  return ok(result)
}
