import type { ActionContext } from '../../../crud/rules.ts'
import { hasDuty, scoped } from '../../../crud/scope.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'

/** Whether a stage can be switched off. @throws row.inUse when payments, tickets or results refer to it */
export async function checkUnused(db: Live, { id }: { id: string }): Promise<void> {
  const row = await db
    .selectNoFrom(eb =>
      eb
        .or([
          eb.exists(eb.selectFrom('payrecord').select('id').where('itemId', '=', id)),
          eb.exists(eb.selectFrom('examinationticket').select('id').where('itemId', '=', id)),
          eb.exists(eb.selectFrom('result').select('id').where('itemId', '=', id)),
        ])
        .as('hit'),
    )
    .executeTakeFirst()
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
