import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
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
 * @param running rows of `flow_instance i` that are meant
 * @returns how many there were
 */
export async function endRunning(
  db: Live,
  running: ReturnType<typeof sql<boolean>>,
  { userId, now, reason }: Ending,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    UPDATE flow_instance i SET status = ${sql.lit(FlowRun.terminated)}, "endTime" = ${now}, "endUser" = ${userId}, "endReason" = ${reason}
    WHERE i.status = ${sql.lit(FlowRun.running)} AND ${running} RETURNING i.id`.execute(db)
  const ids = rows.map(({ id }) => id)
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
  { tenantId, userId, now }: Pick<Person, 'tenantId' | 'userId'> & { now: Date },
  instanceId: string,
  reason: string,
): Promise<void> {
  const one = sql<boolean>`i.id = ${instanceId} AND i."tenantId" = ${tenantId}`
  await db.transaction().execute(async trx => {
    if ((await endRunning(trx, one, { userId, now, reason })) > 0) return
    const { rows } = await sql<{ updateUser: string | null; status: number; endReason: string | null }>`
      SELECT i."endUser"::text AS "updateUser", i.status, i."endReason" FROM flow_instance i WHERE ${one}`.execute(trx)
    const [run] = rows
    if (!run) throw refuse('row.notFound')
    if (!isOwnRepeat(run, run.status === FlowRun.terminated && run.endReason === reason, { userId }))
      throw refuse('row.wrongState')
  })
}
