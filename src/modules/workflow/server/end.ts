import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import type { FlowServer, Mover } from './action.ts'
import { moveRun } from './move.ts'
import { holdRun } from './store.ts'

/** Who ends runs before their time, when and why. */
export interface Ending extends Mover {
  readonly reason: string
}

/** Runs that run and those that they have called, each before what it has called. */
async function withCalled(db: Live, ids: readonly string[]): Promise<string[]> {
  const all: string[] = []
  for (let level = [...ids]; level.length > 0; ) {
    all.push(...level)
    const called = await db
      .selectFrom('flow_instance')
      .select('id')
      .where('parentInstance', 'in', level)
      .where('status', '=', sql.lit(FlowRun.running))
      .orderBy('id')
      .execute()
    level = called.map(({ id }) => id)
  }
  return all
}

/**
 * Ends runs that are running, with those they have called; the tasks they stood at are over without having been done.
 * @returns how many of the given ones there were
 */
export async function endRuns(
  server: FlowServer,
  db: Live,
  ids: readonly string[],
  { reason, ...by }: Ending,
): Promise<number> {
  const ended = new Set<string>()
  for (const id of await withCalled(db, [...ids].toSorted())) {
    const held = await holdRun(db, id)
    if (!held) continue
    await moveRun(server, db, held, by, run => run.finish(FlowRun.terminated, reason))
    ended.add(id)
  }
  return ids.filter(id => ended.has(id)).length
}

/**
 * Ends one run for a reason.
 * @throws row.notFound when it is not there, row.wrongState when it is over already
 */
export async function endProcess(server: FlowServer, db: Live, instanceId: string, ending: Ending): Promise<void> {
  await db.transaction().execute(async trx => {
    if ((await endRuns(server, trx, [instanceId], ending)) > 0) return
    const run = await trx
      .selectFrom('flow_instance')
      .select(['endUser', 'status', 'endReason'])
      .where('id', '=', instanceId)
      .executeTakeFirst()
    if (!run) throw refuse('row.notFound')
    const isDone = run.status === FlowRun.terminated && run.endReason === ending.reason
    if (!isDone || run.endUser !== ending.userId) throw refuse('row.wrongState')
  })
}
