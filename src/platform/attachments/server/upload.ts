import { createHash } from 'node:crypto'
import { ScanState } from '#schemas/dictionaries'
import type { AttachRow, Caller } from '../../access/server/caller.ts'
import type { Place, Stores } from '../../channels/storage/stores.ts'
import type { Reader } from '../../database/database.ts'
import { raw } from '../../database/live.ts'
import { apart } from '../../database/request-transaction.ts'
import { advice } from '../../files/file-advice.ts'
import type { UploadRules } from '../../files/image.ts'
import { checkName, checkUpload } from '../../files/upload-check.ts'
import { refuse } from '../../http/server/refusal.ts'
import { type OwnerType, uploadKinds } from './kinds.ts'
import { scanFile } from './scan.ts'

/** A file as it arrived, and what it is for. */
export interface Upload {
  bytes: Buffer
  filename: string
  owner: OwnerType
  /** The exam's own slot, whose limits then hold. */
  examId?: string
  fileCode?: string
}

/** Uploads of one person in a day that nothing uses yet, at most. */
const mostUnused = 300
const day = 86_400_000

/** @param awaited uploads of that day that are still to come */
async function checkNumber({ db, person, now }: Caller, awaited = 0): Promise<void> {
  const { n } = await db
    .selectFrom('attach')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('createUser', '=', person.userId)
    .where('ownerId', 'is', null)
    .where('createTime', '>', new Date(now.getTime() - day))
    .executeTakeFirstOrThrow()
  if (Number(n) + awaited >= mostUnused) throw refuse('input.tooOften')
}

/** The rules of an upload: those of its kind, narrowed by the exam's slot when one is named. */
async function rulesOf(
  { db }: Caller,
  { owner, examId, fileCode }: Omit<Upload, 'bytes' | 'filename'>,
): Promise<UploadRules> {
  const { rules }: { rules: UploadRules } = uploadKinds[owner]
  if (!examId || !fileCode || (owner !== 'signup' && owner !== 'photo')) return rules
  const slot = await db
    .selectFrom('examsignfiles')
    .select(['maxSize', 'exts', 'photoW', 'photoH'])
    .where('examId', '=', examId)
    .where('fileCode', '=', fileCode)
    .where('enable', '=', 1)
    .executeTakeFirst()
  if (!slot) return rules
  const size = slot.photoW && slot.photoH ? { exactW: slot.photoW, exactH: slot.photoH } : {}
  const limits = { maxKB: slot.maxSize || rules.maxKB, exts: slot.exts || rules.exts }
  return owner === 'photo' ? { ...rules, ...size } : { ...rules, ...(limits as UploadRules) }
}

/** A file that is to come, as its sender describes it. */
export interface Announced extends Omit<Upload, 'bytes'> {
  /** Bytes. */
  size: number
}

/**
 * Refuses an upload that could only be refused when it has come.
 * @param awaited others of the same person that are still to come
 * @throws 403 for a kind that is not the caller's to upload, input.tooOften, file.typeNotAllowed, file.tooLarge
 */
export async function checkAnnounced(caller: Caller, upload: Announced, awaited: number): Promise<void> {
  if (!uploadKinds[upload.owner].candidates && !caller.person.isStaff) throw refuse('request.forbidden')
  await checkNumber(caller, awaited)
  checkName(upload.filename, upload.size, await rulesOf(caller, upload))
}

/** Enters a file that has passed; nobody meets it before its bytes are kept, so it begins as a removed row. */
async function enter(
  on: Reader,
  { person, now }: Caller,
  place: Place,
  upload: Upload,
  file: Checked,
): Promise<AttachRow> {
  const { checked, scanState } = file
  return on
    .insertInto('attach')
    .values(eb => ({
      id: eb.fn<string>('next_id'),
      link: '',
      domainUrl: '',
      name: place.key,
      originalName: checked.name,
      extension: checked.ext,
      attachSize: checked.bytes.length,
      contentType: checked.mime,
      sha256: createHash('sha256').update(checked.bytes).digest('hex'),
      ownerType: upload.owner,
      visible: uploadKinds[upload.owner].visible,
      scanState,
      ossCode: place.ossCode,
      tenantId: person.tenantId,
      createUser: person.userId,
      createDept: person.deptIds[0] ?? null,
      createTime: now,
      updateTime: now,
      isDeleted: 1,
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
}

/**
 * Looks at an upload in every way there is.
 * @throws file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit, file.contentInvalid also for what
 * the scanner stops
 */
async function check(caller: Caller, upload: Upload): Promise<Checked> {
  const checked = await checkUpload(upload.bytes, upload.filename, await rulesOf(caller, upload))
  const scanState = await scanFile({ db: raw(caller.db), meter: caller.meter }, checked.bytes)
  if (scanState === ScanState.blocked) throw refuse('file.contentInvalid', { 做法: advice.scan })
  return { checked, scanState }
}

interface Checked {
  checked: Awaited<ReturnType<typeof checkUpload>>
  scanState: (typeof ScanState)[keyof typeof ScanState]
}

/**
 * Keeps an uploaded file: checked by its content, pictures re-encoded, under a random name. Its row is there before
 * its bytes and counts as removed until they are kept, so that whatever is cut short is cleared away with the removed
 * files. It stays when the request is refused after it: a file that nothing uses is cleared away as well.
 * @throws file.typeNotAllowed, file.tooLarge, file.contentInvalid, file.pictureUnfit, file.storageUnavailable, 403 for
 * a kind that is not the caller's to upload, input.tooOften too many unused uploads
 */
export const keepUpload = (caller: Caller, storage: Stores, upload: Upload): Promise<AttachRow & Size> =>
  apart(() => keep(caller, storage, upload))

async function keep(caller: Caller, storage: Stores, upload: Upload): Promise<AttachRow & Size> {
  const { db, person } = caller
  if (!uploadKinds[upload.owner].candidates && !person.isStaff) throw refuse('request.forbidden')
  await checkNumber(caller)
  const file = await check(caller, upload)
  const { bytes, ext, width, height } = file.checked
  const place = await storage.place(person.tenantId, ext)
  const on = raw(db)
  const row = await enter(on, caller, place, upload, file)
  await storage.put(place.key, bytes)
  const shown = { link: `/api/blade-resource/attach/download?id=${row.id}`, isDeleted: 0 }
  await on.updateTable('attach').set(shown).where('id', '=', row.id).execute()
  return { ...row, ...shown, width, height }
}

/** Pixels of a picture. */
export interface Size {
  width: number | undefined
  height: number | undefined
}
