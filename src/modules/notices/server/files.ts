import { AttachVisible } from '#schemas/dictionaries'
import { claimFiles } from '../../../platform/attachments/server/claim.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Files of one notice, at most. */
const most = 10

/** The files of a notice in their order. Whether the asker may read the notice was decided before. */
export const filesOf = (db: Live, noticeId: string) =>
  db
    .selectFrom('noticefile')
    .select(['id', 'attachId', 'fileName', 'fileSize', 'ext', 'downNum'])
    .where('noticeId', '=', noticeId)
    .orderBy('sort')
    .orderBy('id')
    .execute()

/**
 * Makes sure that a notice has room for more files; its row is locked, so that two people adding at once are counted.
 * @throws input.invalid beyond ten files
 */
export async function checkRoom(db: Live, noticeId: string, more: number): Promise<void> {
  await db.selectFrom('notice').select('id').where('id', '=', noticeId).forNoKeyUpdate().execute()
  const { n } = await db
    .selectFrom('noticefile')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('noticeId', '=', noticeId)
    .executeTakeFirstOrThrow()
  if (Number(n) + more > most) throw refuse('input.invalid', { 说明: `一个公告最多 ${most} 个附件` })
}

/**
 * Attaches uploaded files to a notice, behind those it has.
 * @throws file.notFound for a file that is not there, not the caller's or in use, input.invalid beyond ten files
 */
export async function addFiles(
  { db, person }: { db: Live; person: Person },
  noticeId: string,
  attachIds: readonly string[],
): Promise<void> {
  if (attachIds.length === 0) return
  await checkRoom(db, noticeId, attachIds.length)
  const files = await claimFiles(db, person, attachIds, {
    owner: 'notice',
    ownerId: noticeId,
    visible: AttachVisible.ownerAndStaff,
  })
  const rows = files.map((file, i) => ({ ...file, noticeId, sort: i + 1, downNum: 0 }))
  await db.insertInto('noticefile').values(rows).execute()
}
