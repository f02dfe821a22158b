import { type Expression, expressionBuilder, type SqlBool, sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import type { Live, LiveDatabase } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'

/** Who ends runs before their time, when and why. */
export interface Ending {
  userId: string
  now: Date
  reason: string
}

/**
 * Ends runs that are running; the tasks they stood at are over without having been done.
 * @param these rows of `flow_instance` that are meant
 * @returns how many there were
 */
export async function endRunning(
  db: Live,
  these: Expression<SqlBool>,
  { userId, now, reason }: Ending,
): Promise<number> {
  const ended = await db
    .updateTable('flow_instance')
    .set({ status: FlowRun.terminated, endTime: now, endUser: userId, endReason: reason })
    .where('status', '=', sql.lit(FlowRun.running))
    .where(these)
    .returning('id')
    .execute()
  const ids = ended.map(({ id }) => id)
  if (ids.length === 0) return 0
  await db
    .updateTable('flow_activity')
    .set({ endTime: now })
    .where('instanceId', 'in', ids)
    .where('endTime', 'is', null)
    .execute()
  return ids.length
}

/**
 * Ends one run for a reason.
 * @throws row.notFound when it is not there, row.wrongState when it is over already
 */
export async function endProcess(
  db: Live,
  { userId, now }: Pick<Person, 'userId'> & { now: Date },
  instanceId: string,
  reason: string,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const isIt = expressionBuilder<LiveDatabase, 'flow_instance'>()('flow_instance.id', '=', instanceId)
    if ((await endRunning(trx, isIt, { userId, now, reason })) > 0) return
    const run = await trx
      .selectFrom('flow_instance')
      .select(['endUser as updateUser', 'status', 'endReason'])
      .where('id', '=', instanceId)
      .executeTakeFirst()
    if (!run) throw refuse('row.notFound')
    if (!isOwnRepeat(run, run.status === FlowRun.terminated && run.endReason === reason, { userId }))
      throw refuse('row.wrongState')
  })
}
