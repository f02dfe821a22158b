import { type Kysely, sql, type Transaction } from 'kysely'
import type { Person } from '../../access.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import { noticeInfo } from './lists.ts'

type Step = 'read' | 'sure'

/** Writes that a person has read or confirmed a notice; false when that was known already. */
async function advance(
  trx: Transaction<Database>,
  person: Person,
  now: Date,
  id: string,
  step: Step,
): Promise<boolean> {
  const state = step === 'sure' ? 2 : 1
  const row = await trx
    .insertInto('notifyread')
    .values({
      ...{ noticeId: id, userId: person.userId, name: person.name.slice(0, 20), readTime: now, sureState: state },
      ...{
        sureTime: step === 'sure' ? now : null,
        tenantId: person.tenantId,
        createUser: person.userId,
        createTime: now,
      },
    })
    .onConflict(on =>
      on
        .columns(['tenantId', 'noticeId', 'userId'])
        .where('isDeleted', '=', 0)
        .doUpdateSet({
          sureState: state,
          readTime: sql`coalesce(notifyread."readTime", excluded."readTime")`,
          sureTime: sql`coalesce(notifyread."sureTime", excluded."sureTime")`,
          updateTime: now,
        })
        .where('notifyread.sureState', '<', state),
    )
    .returning('id')
    .executeTakeFirst()
  return row !== undefined
}

/** Brings the numbers shown to staff up to date. */
async function count(trx: Transaction<Database>, id: string): Promise<void> {
  const of = (state: number) =>
    sql<number>`(SELECT count(*)::int FROM notifyread r WHERE r."noticeId" = ${id} AND r."isDeleted" = 0 AND r."sureState" >= ${state})`
  await trx
    .updateTable('notice')
    .set({ readNum: of(1), sureNum: of(2) })
    .where('id', '=', id)
    .execute()
}

/**
 * Marks a notice read, or confirmed. The first time is kept; doing it again changes nothing.
 * @throws 29001 not for this person, 29009 confirming one that asks for no confirmation
 */
export async function markNotice(
  db: Kysely<Database>,
  person: Person,
  now: Date,
  { id, step }: { id: string; step: Step },
): Promise<void> {
  const notice = await noticeInfo(db, person.tenantId, person, now, id)
  if (step === 'sure' && notice.needSure !== 1) throw refuse(29009)
  await db.transaction().execute(async trx => {
    if (await advance(trx, person, now, id, step)) await count(trx, id)
  })
}
