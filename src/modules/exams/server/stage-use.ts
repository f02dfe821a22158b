import { type Kysely, sql } from 'kysely'
import type { ActionContext } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

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
 * The id of the stage of a call, if the caller's duty in its exam counts for what is changed.
 * @param table whose rows of the stage change
 * @throws row.notFound
 */
export async function stageForDuty(
  { app, person, ids }: Pick<ActionContext, 'app' | 'person' | 'ids'>,
  table: Parameters<typeof hasDuty>[2],
): Promise<string> {
  const found = await scoped(app, person, 'examinationitem')
    .select('id')
    .where('id', 'in', [...ids])
    .where(hasDuty(app, person, table, 'examinationitem.examId', 'change'))
    .executeTakeFirst()
  if (!found) throw refuse('row.notFound')
  return found.id
}
