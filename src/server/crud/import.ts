import '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Resource } from '#engine'
import { person } from '../access.ts'
import { readTemplate, type TemplateColumn, templateWorkbook } from '../documents/workbook.ts'
import { Refusal, refuse } from '../domain/refusal.ts'
import { type Envelope, ok } from '../plugins/envelope.ts'
import { asFile } from './export.ts'
import { type BadCell, importColumns, type ReadRow, readSheet } from './import-rows.ts'
import type { Values } from './input.ts'
import { insertValues, inWrite, type Write } from './store.ts'
import { uniqueRefusal } from './unique.ts'
import { readWords } from './words.ts'

/** Largest workbook taken, in bytes. */
const mostBytes = 10 * 1024 * 1024

/** What became of an import. */
export interface ImportResult {
  /** Rows in the file. */
  total: number
  success: number
  failed: number
  errors: readonly BadCell[]
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
      ...{ title: field.title, required, width: 20 },
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
async function receive(request: FastifyRequest): Promise<{ file: Buffer; mode: 1 | 2 }> {
  if (!request.isMultipart()) throw refuse(28001)
  let file: Buffer | undefined
  let mode = (request.query as Record<string, string>).mode
  for await (const part of request.parts({ limits: { fileSize: mostBytes, files: 1, fields: 10 } })) {
    if (part.type === 'field') {
      if (part.fieldname === 'mode') mode = String(part.value)
      continue
    }
    if (!part.filename.toLowerCase().endsWith('.xlsx')) throw refuse(28001)
    file = await part.toBuffer()
    if (part.file.truncated) throw refuse(28002, { n: mostBytes / 1024 })
  }
  if (!file) throw refuse(29005, { 说明: '请选择文件' }, [{ field: 'file', msg: '请选择文件' }])
  return { file, mode: mode === '2' ? 2 : 1 }
}

/** Marks the end of an import that is to leave nothing behind. */
class NotImported extends Error {}

/**
 * Takes a filled-in workbook; a reference named in the address (`import?examId=`) holds for rows that leave it empty. The whole file is checked first; mode 1 takes all rows or none (28006), mode 2 the good ones.
 */
export async function receiveImport(request: FastifyRequest, resource: Resource): Promise<Envelope> {
  const { file, mode } = await receive(request)
  const columns = await templateColumns(request, resource)
  const rows = readTemplate(file, { version: version(resource), columns })
  const errors: BadCell[] = []
  let [total, success] = [0, 0]
  try {
    await inWrite(request, resource, async write => {
      const sheet = await readSheet(write, rows, request.query as Values)
      total = sheet.total
      errors.push(...sheet.errors)
      for (const row of sheet.good) {
        const bad = await insertOne(write, row)
        if (bad) errors.push(bad)
        else success++
      }
      if (mode === 1 && errors.length > 0) throw new NotImported()
    })
  } catch (error) {
    if (!(error instanceof NotImported)) throw error
    success = 0
  }
  const failed = new Set(errors.map(({ row }) => row)).size
  const result: ImportResult = { total, success, failed, errors: errors.sort((one, other) => one.row - other.row) }
  if (mode === 1 && failed > 0) throw refuse(28006, { n: failed }, result)
  return ok(result)
}

/** Inserts one row so that its failure leaves the others alone. */
async function insertOne(write: Write, { row, values }: ReadRow): Promise<BadCell | undefined> {
  await sql`SAVEPOINT import_row`.execute(write.trx)
  try {
    await insertValues(write, values)
    await sql`RELEASE SAVEPOINT import_row`.execute(write.trx)
    return undefined
  } catch (error) {
    const refusal = error instanceof Refusal ? error : uniqueRefusal(error, write.resource.entity)
    if (!refusal) throw error
    await sql`ROLLBACK TO SAVEPOINT import_row`.execute(write.trx)
    const [problem] = Array.isArray(refusal.data) ? (refusal.data as { field: string }[]) : []
    const column = write.resource.entity.properties[problem?.field ?? '']?.title ?? ''
    return { row, column, msg: refusal.message }
  }
}
