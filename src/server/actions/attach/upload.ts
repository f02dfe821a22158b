import { createHash } from 'node:crypto'
import { newKey, type Storage } from '../../channels/storage/index.ts'
import type { UploadRules } from '../../documents/image.ts'
import { checkUpload } from '../../documents/upload-check.ts'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { AttachRow, Caller } from '../signup/caller.ts'
import { type OwnerType, uploadKinds } from './kinds.ts'

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

async function checkNumber({ db, person, now }: Caller): Promise<void> {
  const { n } = await db
    .selectFrom('attach')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('createUser', '=', person.userId)
    .where('ownerId', 'is', null)
    .where('isDeleted', '=', 0)
    .where('createTime', '>', new Date(now.getTime() - day))
    .executeTakeFirstOrThrow()
  if (Number(n) >= mostUnused) throw refuse(29007)
}

/** The rules of an upload: those of its kind, narrowed by the exam's slot when one is named. */
async function rulesOf({ db, person }: Caller, { owner, examId, fileCode }: Upload): Promise<UploadRules> {
  const { rules }: { rules: UploadRules } = uploadKinds[owner]
  if (!examId || !fileCode || (owner !== 'signup' && owner !== 'photo')) return rules
  const slot = await db
    .selectFrom('examsignfiles')
    .select(['maxSize', 'exts', 'photoW', 'photoH'])
    .where('examId', '=', examId)
    .where('fileCode', '=', fileCode)
    .where('tenantId', '=', person.tenantId)
    .where('isDeleted', '=', 0)
    .where('enable', '=', 1)
    .executeTakeFirst()
  if (!slot) return rules
  const size = slot.photoW && slot.photoH ? { exactW: slot.photoW, exactH: slot.photoH } : {}
  const limits = { maxKB: slot.maxSize || rules.maxKB, exts: slot.exts || rules.exts }
  return owner === 'photo' ? { ...rules, ...size } : { ...rules, ...(limits as UploadRules) }
}

/**
 * Keeps an uploaded file: checked by its content, pictures encoded anew, under a random name.
 * @throws 28001–28004, 403 for a kind that is not the caller's to upload, 29007 too many unused uploads
 */
export async function keepUpload(caller: Caller, storage: Storage, upload: Upload): Promise<AttachRow & Size> {
  const { db, person, now } = caller
  const kind = uploadKinds[upload.owner]
  if (!kind.candidates && !person.isStaff) throw new Refusal(403, 403, '没有访问权限')
  await checkNumber(caller)
  const checked = await checkUpload(upload.bytes, upload.filename, await rulesOf(caller, upload))
  const key = newKey(checked.ext)
  await storage.put(key, checked.bytes)
  const row = await db
    .insertInto('attach')
    .values(eb => ({
      ...{ id: eb.fn<string>('next_id'), link: '', domainUrl: '', name: key, originalName: checked.name },
      ...{ extension: checked.ext, attachSize: checked.bytes.length, contentType: checked.mime },
      sha256: createHash('sha256').update(checked.bytes).digest('hex'),
      ...{ ownerType: upload.owner, visible: kind.visible, scanState: 1, ossCode: 'local', tenantId: person.tenantId },
      ...{ createUser: person.userId, createDept: person.deptIds[0] ?? null, createTime: now },
    }))
    .returningAll()
    .executeTakeFirstOrThrow()
  const link = `/api/blade-resource/attach/download?id=${row.id}`
  await db.updateTable('attach').set({ link }).where('id', '=', row.id).execute()
  return { ...row, link, width: checked.width, height: checked.height }
}

/** Pixels of a picture. */
export interface Size {
  width: number | undefined
  height: number | undefined
}
