import { type Kysely, sql } from 'kysely'
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
