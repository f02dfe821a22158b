import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { newKey } from '../../channels/storage/index.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Trx } from './context.ts'

/** A file the server makes or takes in, and whose it is. */
export interface KeptFile {
  tenantId: string
  userId: string
  /** The row it belongs to: while it does, nobody removes it. */
  ownerId: string
  bytes: Buffer
  /** With its ending. */
  name: string
  contentType: string
}

/** Keeps a file of finance: its bytes in the storage, its row in the transaction. @returns its id and SHA-256 */
export async function keepFile(
  { storage }: Pick<FastifyInstance, 'storage'>,
  trx: Trx,
  file: KeptFile,
  now: Date,
): Promise<{ id: string; sha256: string }> {
  const extension = file.name.split('.').at(-1) ?? ''
  const key = newKey(extension)
  await storage.put(key, file.bytes)
  const sha256 = createHash('sha256').update(file.bytes).digest('hex')
  const { id } = await trx
    .insertInto('attach')
    .values({
      ...{ link: '', domainUrl: '', name: key, originalName: file.name, extension, attachSize: file.bytes.length },
      ...{
        contentType: file.contentType,
        sha256,
        ownerType: 'bill',
        ownerId: file.ownerId,
        visible: 3,
        scanState: 1,
        ossCode: 'local',
      },
      ...{ tenantId: file.tenantId, createUser: file.userId, createTime: now, updateTime: now },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const link = `/api/blade-resource/attach/download?id=${id}`
  await trx.updateTable('attach').set({ link }).where('id', '=', id).execute()
  return { id, sha256 }
}

/**
 * Ties an uploaded file to the row that names it: while it does, nobody removes it.
 * @throws 28009 for a file that is not there
 */
export async function tieFile(trx: Trx, fileId: string, owner: { tenantId: string; id: string }): Promise<void> {
  const { numUpdatedRows } = await trx
    .updateTable('attach')
    .set({ ownerId: owner.id })
    .where('id', '=', fileId)
    .where('tenantId', '=', owner.tenantId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw refuse(28009)
}
