import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { AttachVisible, type attachOwner, ScanState } from '#schemas/dictionaries'
import type { Place, Stores } from '../platform/channels/storage/stores.ts'
import { type AnyHandle, raw } from '../platform/database/live.ts'
import { refuse } from '../platform/http/server/refusal.ts'

/** A file that was made for somebody, or was sent by somebody: whose it is and what it belongs to. */
export interface StoredFile {
  tenantId: string
  /** Whose it is, and who may read it; null for nobody's. */
  userId: string | null
  /** Who else may: as the dictionary `attach_owner` has it. */
  ownerType: keyof typeof attachOwner.entries & string
  /** The row it belongs to: while it does, nobody removes it. */
  ownerId: string | null
  /** With its ending. */
  name: string
  contentType: string
  /** What the scanner said of it; clean by default, for what the program has made. */
  scanState?: (typeof ScanState)[keyof typeof ScanState]
}

/** Bytes that are in the storage and that no row names yet. */
export interface Stored extends Place {
  size: number
  sha256: string
}

/** The ending of a name without its dot, `""` for none. */
export const endingOf = (name: string): string => /\.([0-9A-Za-z]{1,12})$/.exec(name)?.[1] ?? ''

/** Puts bytes that come one after another into the storage; they are never in memory together. */
export async function storeStream(storage: Stores, place: Place, bytes: Readable): Promise<Stored> {
  const hash = createHash('sha256')
  let size = 0
  async function* measured() {
    for await (const chunk of bytes as AsyncIterable<Buffer>) {
      hash.update(chunk)
      size += chunk.length
      yield chunk
    }
  }
  await storage.putStream(place.key, Readable.from(measured(), { objectMode: false }))
  return { ...place, size, sha256: hash.digest('hex') }
}

/** Enters stored bytes as a file, in the transaction of the row they belong to. @returns its id */
export async function enterFile(on: AnyHandle, file: StoredFile, stored: Stored, now: Date): Promise<string> {
  const trx = raw(on)
  const { id } = await trx
    .insertInto('attach')
    .values({
      link: '',
      domainUrl: '',
      name: stored.key,
      originalName: file.name.slice(-500),
      extension: endingOf(file.name),
      attachSize: stored.size,
      contentType: file.contentType,
      sha256: stored.sha256,
      ownerType: file.ownerType,
      ownerId: file.ownerId,
      visible: AttachVisible.ownerAndStaff,
      scanState: file.scanState ?? ScanState.clean,
      ossCode: stored.ossCode,
      tenantId: file.tenantId,
      createUser: file.userId,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = `/api/blade-resource/attach/download?id=${id}`
  await trx.updateTable('attach').set({ link }).where('id', '=', id).execute()
  return id
}

/** SHA-256 of bytes as the register of files has it. */
export const digest = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

/** Keeps a file whose bytes are at hand: in the storage, and in the transaction. @returns its id and SHA-256 */
export async function storeFile(
  { storage }: { storage: Stores },
  trx: AnyHandle,
  { bytes, ...file }: StoredFile & { bytes: Buffer },
  now: Date,
): Promise<{ id: string; sha256: string }> {
  const place = await storage.place(file.tenantId, endingOf(file.name))
  await storage.put(place.key, bytes)
  const sha256 = digest(bytes)
  return { id: await enterFile(trx, file, { ...place, size: bytes.length, sha256 }, now), sha256 }
}

/**
 * Ties an uploaded file to the row that names it: while it does, nobody removes it.
 * @throws file.notFound for a file that is not there
 */
export async function tieFile(trx: AnyHandle, fileId: string, owner: { tenantId: string; id: string }): Promise<void> {
  const { numUpdatedRows } = await raw(trx)
    .updateTable('attach')
    .set({ ownerId: owner.id })
    .where('id', '=', fileId)
    .where('tenantId', '=', owner.tenantId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse('file.notFound')
}
