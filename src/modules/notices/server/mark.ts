import { sql } from 'kysely'
import { noticeEvents } from '#resources/notices/events'
import { NoticeType, SureState } from '#schemas/dictionaries'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import { type Live, updateUnstamped } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { noticeOf } from './lists.ts'

type Step = 'read' | 'sure'

/** Who reads, from where, and when. */
export interface Reader {
  app: ScopesNow
  person: Person
  ip: string
  now: Date
}

interface Read {
  id: string
  examId: string | null
}

/** How many readers and how many confirmations more there are. */
type More = readonly [read: 0 | 1, sure: 0 | 1]
const none: More = [0, 0]

/** Writes that a person has read an announcement. */
async function noteRead(db: Live, { person, ip, now }: Reader, notice: Read): Promise<More> {
  const { userId, name } = person
  const row = await db
    .insertInto('noticeread')
    .values({
      noticeId: notice.id,
      examId: notice.examId,
      userId,
      name: name.slice(0, 20),
      readTime: now,
      readIp: ip,
    })
    .onConflict(on => on.columns(['noticeId', 'userId']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return row ? [1, 0] : none
}

/** Writes that a person has read or confirmed a notification. */
async function advance(db: Live, { person, now }: Reader, id: string, step: Step): Promise<More> {
  const state = step === 'sure' ? SureState.confirmed : SureState.read
  const row = await db
    .insertInto('notifyread')
    .values({
      noticeId: id,
      userId: person.userId,
      name: person.name.slice(0, 20),
      readTime: now,
      sureState: state,
      sureTime: step === 'sure' ? now : null,
    })
    .onConflict(on =>
      on
        .columns(['noticeId', 'userId'])
        .doUpdateSet({
          sureState: state,
          readTime: sql`coalesce(notifyread."readTime", excluded."readTime")`,
          sureTime: sql`coalesce(notifyread."sureTime", excluded."sureTime")`,
        })
        .where('notifyread.sureState', '<', state),
    )
    // A row that was there before has been written over by this transaction.
    .returning(sql<boolean>`xmax = 0`.as('isNew'))
    .executeTakeFirst()
  return row ? [row.isNew ? 1 : 0, step === 'sure' ? 1 : 0] : none
}

/** Brings the numbers shown to staff up to date. */
async function count(db: Live, id: string, [read, sure]: More): Promise<void> {
  if (read + sure === 0) return
  // Who reads changes nothing, so the stamps stay.
  await updateUnstamped(db, 'notice')
    .set({ readNum: sql`coalesce("readNum", 0) + ${read}::int`, sureNum: sql`coalesce("sureNum", 0) + ${sure}::int` })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a notice read, or confirmed. An announcement is noted as read with the address it was read from; what can be
 * confirmed has a state of its own. The first time is kept; doing it again changes nothing.
 * @throws row.notFound not for this person, row.wrongState confirming one that asks for no confirmation
 */
export async function markNotice(db: Live, reader: Reader, id: string, step: Step): Promise<void> {
  const notice = await noticeOf(db, reader.person, reader.app, id)
  if (step === 'sure' && notice.needSure !== 1) throw refuse('row.wrongState')
  const isPlain = notice.noticeType === NoticeType.announcement && notice.needSure !== 1
  await db.transaction().execute(async trx => {
    if (step === 'sure')
      await trx
        .updateTable('message')
        .set(eb => ({ doneTime: eb.fn.coalesce('doneTime', eb.val(reader.app.now())) }))
        .where('userId', '=', reader.person.userId)
        .where('subjectId', '=', id)
        .where('code', '=', noticeEvents.mustSure.name)
        .execute()
    await count(trx, id, isPlain ? await noteRead(trx, reader, notice) : await advance(trx, reader, id, step))
  })
}
