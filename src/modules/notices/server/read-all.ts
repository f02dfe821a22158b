import { sql } from 'kysely'
import { NoticeType, SureState } from '#schemas/dictionaries'
import { type Live, updateUnstamped } from '../../../platform/database/live.ts'
import { isFor, isOut } from './audience.ts'
import type { Reader } from './mark.ts'

/** Notices marked at once: a row has about ten values, and PostgreSQL takes 65,535. */
const portion = 1000

/** Notices that a person may read, has not read and need not confirm. */
const unreadBy = (db: Live, { app, person, now }: Reader) =>
  db
    .selectFrom('notice')
    .select(['notice.id', 'notice.examId', 'notice.noticeType'])
    .where(isOut(now))
    .where(isFor(app, person))
    .where(sql<boolean>`coalesce(notice."needSure", 0) <> 1`)
    .where(eb => {
      const seen = eb.selectFrom('noticeread as r').select('r.id').whereRef('r.noticeId', '=', 'notice.id')
      const told = eb.selectFrom('notifyread as r').select('r.id').whereRef('r.noticeId', '=', 'notice.id')
      return eb.and([
        eb.not(eb.exists(seen.where('r.userId', '=', person.userId))),
        eb.not(eb.exists(told.where('r.userId', '=', person.userId).where('r.sureState', '>=', SureState.read))),
      ])
    })
    .orderBy('notice.id')
    .limit(portion)
    .execute()

/** Notes announcements as read, with the address they were read from. @returns those that nobody else noted meanwhile */
async function noteSeen(
  db: Live,
  { person, ip, now }: Reader,
  notices: readonly { id: string; examId: string | null }[],
) {
  if (notices.length === 0) return []
  const own = { userId: person.userId, name: person.name.slice(0, 20), readTime: now, readIp: ip }
  const rows = await db
    .insertInto('noticeread')
    .values(notices.map(({ id, examId }) => ({ ...own, noticeId: id, examId })))
    .onConflict(on => on.columns(['noticeId', 'userId']).doNothing())
    .returning('noticeId')
    .execute()
  return rows.map(row => row.noticeId)
}

/** Notes notifications as read. @returns those that nobody else noted meanwhile */
async function noteTold(db: Live, { person, now }: Reader, notices: readonly { id: string }[]) {
  if (notices.length === 0) return []
  const own = { userId: person.userId, name: person.name.slice(0, 20), readTime: now, sureState: SureState.read }
  const rows = await db
    .insertInto('notifyread')
    .values(notices.map(({ id }) => ({ ...own, noticeId: id })))
    .onConflict(on =>
      on
        .columns(['noticeId', 'userId'])
        .doUpdateSet({
          sureState: SureState.read,
          readTime: sql`coalesce(notifyread."readTime", excluded."readTime")`,
        })
        .where('notifyread.sureState', '<', SureState.read),
    )
    .returning('noticeId')
    .execute()
  return rows.map(row => row.noticeId)
}

async function readSome(db: Live, reader: Reader): Promise<{ found: number; marked: number }> {
  const unread = await unreadBy(db, reader)
  const isAnnouncement = ({ noticeType }: (typeof unread)[number]) => noticeType === NoticeType.announcement
  const ids = [
    ...(await noteSeen(db, reader, unread.filter(isAnnouncement))),
    ...(await noteTold(
      db,
      reader,
      unread.filter(one => !isAnnouncement(one)),
    )),
  ]
  // Who reads changes nothing, so the stamps stay.
  if (ids.length > 0)
    await updateUnstamped(db, 'notice')
      .set({ readNum: sql`coalesce("readNum", 0) + 1` })
      .where('id', 'in', ids)
      .execute()
  return { found: unread.length, marked: ids.length }
}

/**
 * Marks every notice read that the person may read, has not read and need not confirm; what must be confirmed stays as it
 * is. Announcements keep the address they were read from. Answers how many there were.
 */
export const readAll = (db: Live, reader: Reader): Promise<number> =>
  db.transaction().execute(async trx => {
    let marked = 0
    for (;;) {
      const some = await readSome(trx, reader)
      marked += some.marked
      if (some.found < portion) return marked
    }
  })
