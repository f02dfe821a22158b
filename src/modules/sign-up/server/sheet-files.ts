import { ScanState } from '#schemas/dictionaries'
import type { SignFiles } from '#schemas/sign-up/signup-json'
import type { Db } from '../../../platform/access/server/caller.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { FileSlot } from '../../exams/rules/sign-files.ts'

/** Files of a slot as the page sends them: the id alone decides, everything else is read from the file's own row. */
export interface SentSlot {
  fileCode: string
  list: readonly { attachId: string }[]
}

/** Kinds of upload that may be handed in with a sign-up. */
const ownerTypes = ['signup', 'photo'] as const

const missing = () => refuse('file.notFound')

/**
 * The slots with names and sizes of the files sent. A file counts only when the same person uploaded it for a sign-up
 * and no other sign-up uses it.
 * @throws file.notFound for any other file
 */
export async function resolveFiles(
  db: Db,
  { userId, signupId, slots }: { userId: string; signupId: string | null; slots: readonly FileSlot[] },
  sent: readonly SentSlot[],
): Promise<SignFiles[]> {
  const ids = sent.flatMap(slot => slot.list.map(file => file.attachId))
  if (new Set(ids).size < ids.length) throw refuse('input.invalid', { 说明: '同一个文件不能重复提交' })
  const rows = ids.length
    ? await db
        .selectFrom('attach')
        .select(['id', 'originalName', 'attachSize', 'extension', 'ownerType', 'ownerId'])
        .where('id', 'in', ids)
        .where('createUser', '=', userId)
        .where('scanState', '<>', ScanState.blocked)
        .where('ownerType', 'in', ownerTypes)
        .execute()
    : []
  const known = new Map(rows.filter(row => !row.ownerId || row.ownerId === signupId).map(row => [row.id, row]))
  return sent.map(({ fileCode, list }) => {
    const slot = slots.find(one => one.fileCode === fileCode)
    const files = list.map(({ attachId }) => {
      const row = known.get(attachId)
      if (!row || (slot?.isPhoto === 1 && row.ownerType !== 'photo')) throw missing()
      return { attachId, name: row.originalName, size: row.attachSize, ext: row.extension }
    })
    return { fileCode, fileName: slot?.fileName ?? fileCode, list: files }
  })
}

/** The ID photo among the files. */
export function photoOf(files: readonly SignFiles[], slots: readonly FileSlot[]): string | null {
  const codes = slots.filter(slot => slot.isPhoto === 1).map(slot => slot.fileCode)
  return files.find(slot => codes.includes(slot.fileCode))?.list[0]?.attachId ?? null
}

/** Binds files to a sign-up for good, so that no other can use them. @throws file.notFound when another was faster */
export async function bindFiles(trx: Db, signupId: string, userId: string, files: readonly SignFiles[]): Promise<void> {
  const ids = files.flatMap(slot => slot.list.map(file => file.attachId))
  if (ids.length === 0) return
  const { numUpdatedRows } = await trx
    .updateTable('attach')
    .set({ ownerId: signupId })
    .where('id', 'in', ids)
    .where('createUser', '=', userId)
    .where(eb => eb.or([eb('ownerId', 'is', null), eb('ownerId', '=', signupId)]))
    .executeTakeFirst()
  if (Number(numUpdatedRows) !== ids.length) throw missing()
}
