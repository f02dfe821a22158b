import { ScanState } from '#schemas/dictionaries'
import { type AnyHandle, type Live, liveAcross, removeRows, updateUnstamped } from '../../database/live.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import type { OwnerType } from './kinds.ts'

/** What a file belongs to from now on, and who may see it. */
export interface Belonging {
  owner: OwnerType
  ownerId: string
  /** 1 everybody, 3 whoever may see what it belongs to. */
  visible: 1 | 3
}

/** What rows that carry a file keep of it. */
export interface ClaimedFile {
  attachId: string
  fileName: string
  fileSize: number
  ext: string
}

/**
 * Gives files that somebody has uploaded to what they belong to. Two writers never get the same file.
 * @param db the live handle of the tenant
 * @returns the files in the order asked for
 * @throws file.notFound for a file that is not there, that somebody else uploaded, or that is in use
 */
export async function claimFiles(
  db: Live,
  { userId }: Pick<Person, 'userId'>,
  ids: readonly string[],
  { owner, ownerId, visible }: Belonging,
): Promise<ClaimedFile[]> {
  const rows = await updateUnstamped(db, 'attach')
    .set({ ownerType: owner, ownerId, visible })
    .where('id', 'in', [...ids])
    .where('createUser', '=', userId)
    .where('ownerId', 'is', null)
    .where('scanState', '<>', ScanState.blocked)
    .returning(['id', 'originalName', 'attachSize', 'extension'])
    .execute()
  const found = new Map(rows.map(row => [row.id, row]))
  return ids.map(id => {
    const row = found.get(id)
    if (!row) throw refuse('file.notFound')
    return { attachId: id, fileName: row.originalName, fileSize: row.attachSize, ext: row.extension }
  })
}

/** Files that nothing shows any more are gone with what showed them, whoever removes that. */
export async function dropFiles(db: AnyHandle, ids: readonly unknown[], now: Date): Promise<void> {
  const known = ids.map(String).filter(id => /^\d+$/.test(id))
  if (known.length === 0) return
  await removeRows(liveAcross(db, { now: () => now }), 'attach')
    .where('id', 'in', known)
    .execute()
}
