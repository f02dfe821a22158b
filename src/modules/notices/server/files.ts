import type { Kysely } from 'kysely'
import { AttachVisible } from '#schemas/dictionaries'
import { claimFiles } from '../../../platform/attachments/server/claim.ts'
import type { Database, Trx } from '../../../platform/database/database.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Files of one notice, at most. */
const most = 10

/** The files of a notice in their order. Whether the asker may read the notice was decided before. */
export const filesOf = (db: Kysely<Database>, noticeId: string) =>
  db
    .selectFrom('noticefile')
    .select(['id', 'attachId', 'fileName', 'fileSize', 'ext', 'downNum'])
    .where('noticeId', '=', noticeId)
    .where('isDeleted', '=', 0)
    .orderBy('sort')
    .orderBy('id')
    .execute()

/**
 * Makes sure that a notice has room for more files; its row is locked, so that two people adding at once are counted.
 * @throws input.invalid beyond ten files
 */
export async function checkRoom(trx: Trx, noticeId: string, more: number): Promise<void> {
  await trx.selectFrom('notice').select('id').where('id', '=', noticeId).forNoKeyUpdate().execute()
  const { n } = await trx
    .selectFrom('noticefile')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('noticeId', '=', noticeId)
    .where('isDeleted', '=', 0)
    .executeTakeFirstOrThrow()
  if (Number(n) + more > most) throw refuse('input.invalid', { 说明: `一个公告最多 ${most} 个附件` })
}

/**
 * Hangs uploaded files on a notice, behind those it has.
 * @throws file.notFound for a file that is not there, not the caller's or in use, input.invalid beyond ten files
 */
export async function addFiles(
  trx: Trx,
  who: { person: Person; now: Date },
  noticeId: string,
  attachIds: readonly string[],
): Promise<void> {
  if (attachIds.length === 0) return
  await checkRoom(trx, noticeId, attachIds.length)
  const files = await claimFiles(trx, who.person, attachIds, {
    owner: 'notice',
    ownerId: noticeId,
    visible: AttachVisible.ownerAndStaff,
  })
  const { userId, tenantId } = who.person
  const stamp = { tenantId, createUser: userId, createTime: who.now, updateUser: userId, updateTime: who.now }
  const rows = files.map((file, i) => ({ ...stamp, ...file, noticeId, sort: i + 1, downNum: 0 }))
  await trx.insertInto('noticefile').values(rows).execute()
}
