import type { FastifyInstance, FastifyRequest } from 'fastify'
import { isId } from '../../../../crud/input.ts'
import { type Caller, callerOf } from '../../../../platform/access/server/caller.ts'
import { keepUpload } from '../../../../platform/attachments/server/upload.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import type { SentSlot } from '../sheet-files.ts'

const numbers: readonly string[] = ['draft', 'adjustAccept', 'version']
const structured: readonly string[] = ['content', 'files']
/** Fields that hold the whole sign-up as JSON, as some clients send it beside the files. */
const wholes: readonly string[] = ['data', 'signup']

type Fields = Record<string, unknown>

function readJson(name: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw refuse('input.invalid', { 说明: `${name} 应为 JSON` })
  }
}

function addField(fields: Fields, name: string, text: string): void {
  if (wholes.includes(name)) Object.assign(fields, readJson(name, text))
  else if (structured.includes(name)) fields[name] = readJson(name, text)
  else if (numbers.includes(name)) fields[name] = text === '' ? undefined : Number(text)
  else fields[name] = text
}

/** Whether a slot takes the ID photo, which has rules of its own. */
async function isPhoto({ db }: Caller, examId: string, fileCode: string): Promise<boolean> {
  const slot = await db
    .selectFrom('examsignfiles')
    .select('isPhoto')
    .where('examId', '=', examId)
    .where('fileCode', '=', fileCode)
    .executeTakeFirst()
  return slot?.isPhoto === 1
}

/**
 * A file that came along, kept like any upload. Its part is named after its slot.
 * @throws input.invalid, file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit
 */
async function addFile(
  app: FastifyInstance,
  caller: Caller,
  fields: Fields,
  file: { fileCode: string; filename: string; bytes: Buffer },
): Promise<void> {
  const examId = String(fields.examId ?? '')
  if (!isId(examId)) throw refuse('input.invalid', { 说明: '缺少参数examId' })
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
 * Makes of a sign-up that comes as a form with files the body the JSON call has, so that one handler and one schema
 * serve both. Files are kept one after the other; no more than one is in memory.
 * @throws input.invalid, file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit
 */
export async function readForm(request: FastifyRequest): Promise<void> {
  if (!request.form) return
  const app = request.server
  const caller = callerOf(app, request)
  const fields: Fields = {}
  for (const [name, text] of Object.entries(request.form.fields)) addField(fields, name, text)
  for (const { field: fileCode, filename, bytes } of request.form.files)
    if (filename) await addFile(app, caller, fields, { fileCode, filename, bytes: await bytes() })
  request.body = fields
}
