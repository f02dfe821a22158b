import { type Kysely, sql } from 'kysely'
import { EnableStatus } from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import type { Handler } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'

/** Payments, tickets or results hang on a stage. */
const used = (itemId: string) => sql<boolean>`(
  exists (select 1 from payrecord where "itemId" = ${itemId} and "isDeleted" = 0)
  or exists (select 1 from examinationticket where "itemId" = ${itemId} and "isDeleted" = 0)
  or exists (select 1 from result where "itemId" = ${itemId} and "isDeleted" = 0))`

/** Whether a stage can be switched off. @throws row.inUse when something hangs on it */
export async function checkUnused(db: Kysely<Database>, { id }: { id: string }): Promise<void> {
  const row = await db.selectNoFrom(used(id).as('hit')).executeTakeFirst()
  if (row?.hit) throw refuse('row.inUse')
}

/**
 * A stage is switched off only while nothing hangs on it.
 * @throws row.notFound, exams.archived, row.inUse, row.wrongState
 */
export const disableStage: Handler = async ({ app, person, now, ids }) => {
  const stage = await changeable(app, person, 'examinationitem')
    .select(['id', 'examId', 'itemStatus', 'updateUser'])
    .where('id', 'in', [...ids])
    .executeTakeFirst()
  if (!stage) throw refuse('row.notFound')
  await refuseArchived(app.db, [stage.examId])
  const moved = await app.db
    .updateTable('examinationitem')
    .set({ itemStatus: EnableStatus.disabled, updateUser: person.userId, updateTime: now })
    .where('id', '=', stage.id)
    .where('itemStatus', '=', EnableStatus.enabled)
    .where(eb => eb.not(used(stage.id)))
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) > 0) return
  if (isOwnRepeat(stage, stage.itemStatus === EnableStatus.disabled, person)) return
  await checkUnused(app.db, stage)
  throw refuse('row.wrongState')
}
