import { isId } from '../../crud/input.ts'
import '@fastify/multipart'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { keepUpload } from '../../actions/attach/upload.ts'
import { type Caller, callerOf } from '../../actions/signup/caller.ts'
import type { SentSlot } from '../../actions/signup/sheet-files.ts'
import { refuse } from '../../domain/refusal.ts'

/** Bytes of one file and of all files of one sign-up, at most. */
const mostBytes = { one: 20 * 1024 ** 2, all: 50 * 1024 ** 2 }

const limits = { fileSize: mostBytes.one, files: 50, fields: 40, fieldSize: 1024 ** 2, parts: 90 }
const numbers: readonly string[] = ['draft', 'adjustAccept', 'version']
const structured: readonly string[] = ['content', 'files']
/** Fields that hold the whole sign-up as JSON, as some clients send it beside the files. */
const wholes: readonly string[] = ['data', 'signup']

type Fields = Record<string, unknown>

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse(29005, { 说明: `${name} 应为 JSON` })
  }
}

function addField(fields: Fields, name: string, text: string): void {
  if (wholes.includes(name)) Object.assign(fields, readJson(name, text))
  else if (structured.includes(name)) fields[name] = readJson(name, text)
  else if (numbers.includes(name)) fields[name] = text === '' ? undefined : Number(text)
  else fields[name] = text
}

/** Whether a slot takes the ID photo, which has rules of its own. */
async function isPhoto({ db, person }: Caller, examId: string, fileCode: string): Promise<boolean> {
  const slot = await db
    .selectFrom('examsignfiles')
    .select('isPhoto')
    .where('examId', '=', examId)
    .where('fileCode', '=', fileCode)
    .where('tenantId', '=', person.tenantId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return slot?.isPhoto === 1
}

/** A file that came along, kept like any upload. Its part is named after its slot. @throws 29005, 28001–28004 */
async function addFile(
  app: FastifyInstance,
  caller: Caller,
  fields: Fields,
  file: { fileCode: string; filename: string; bytes: Buffer },
): Promise<void> {
  const examId = String(fields.examId ?? '')
  if (!isId(examId)) throw refuse(29005, { 说明: 'examId 须在文件之前' })
  const { fileCode, filename, bytes } = file
  const owner = (await isPhoto(caller, examId, fileCode)) ? ('photo' as const) : ('signup' as const)
  const { id: attachId } = await keepUpload(caller, app.storage, { bytes, filename, owner, examId, fileCode })
  const slots = (Array.isArray(fields.files) ? fields.files : []) as SentSlot[]
  const before = slots.find(slot => slot.fileCode === fileCode)?.list ?? []
  fields.files = [
    ...slots.filter(slot => slot.fileCode !== fileCode),
    { fileCode, list: [...before, { attachId }] },
  ] satisfies SentSlot[]
}

/**
 * Reads a sign-up that comes as a form with files into the body the JSON call has, so that one handler and one schema
 * serve both. Files are kept one after the other; no more than one is in memory.
 * @throws 29005, 28001–28004
 */
export async function readForm(request: FastifyRequest): Promise<void> {
  if (!request.isMultipart()) return
  const app = request.server
  const caller = callerOf(app, request)
  const fields: Fields = {}
  let bytesRead = 0
  for await (const part of request.parts({ limits })) {
    if (part.type === 'field') {
      addField(fields, part.fieldname, String(part.value))
      continue
    }
    const bytes = await part.toBuffer()
    bytesRead += bytes.length
    if (bytesRead > mostBytes.all) throw refuse(28002, { n: mostBytes.all / 1024 })
    // A slot left empty arrives as a part without a name.
    if (part.filename) await addFile(app, caller, fields, { fileCode: part.fieldname, filename: part.filename, bytes })
  }
  request.body = fields
}
