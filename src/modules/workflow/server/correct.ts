import type { Caller } from '../../../platform/access/server/caller.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isVariableName } from '../rules/expression.ts'
import { FlowProblem } from '../rules/problem.ts'
import { received } from '../rules/run/acts.ts'
import { TokenState } from '../rules/run/state.ts'
import { stepOf } from '../rules/run/ways.ts'
import type { Value } from '../rules/value.ts'
import type { FlowServer } from './action.ts'
import type { FlowAct } from './flow-tables.ts'
import { keepLog } from './logs.ts'
import { clearIncident, forPerson, moveRun } from './move.ts'
import { type HeldRun, holdRun } from './store.ts'
import { retryWork } from './worker.ts'

/** Puts something right in a run of others, and keeps a log of it. @throws row.notFound, row.wrongState when it is over */
async function correct(
  { db, person, now }: Caller,
  { id, act, comment }: { id: string; act: FlowAct; comment: string },
  work: (trx: LiveTrx, held: HeldRun) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const held = await holdRun(trx, id)
    if (!held) {
      const row = await trx.selectFrom('flow_instance').select('id').where('id', '=', id).executeTakeFirst()
      throw refuse(row ? 'row.wrongState' : 'row.notFound')
    }
    await forPerson(() => work(trx, held))
    await keepLog(trx, { instanceId: id, taskId: null, act, fromUser: person.userId, comment, time: now })
  })
}

/**
 * Lets what keeps a run from going on be tried again.
 * @throws row.notFound, row.wrongState when nothing of it was given up
 */
export const retryRun = (server: FlowServer, caller: Caller, id: string): Promise<void> =>
  correct(caller, { id, act: 'retry', comment: '' }, async (trx, held) => {
    if ((await retryWork(server, trx, held)) === 0) throw refuse('row.wrongState')
    await clearIncident(trx, id)
  })

/**
 * Sets a variable of a run, so that it can go on.
 * @throws row.notFound, row.wrongState, input.invalid for a name that cannot be set
 */
export const correctVariable = (
  server: FlowServer,
  caller: Caller,
  { id, name, value }: { id: string; name: string; value: Value },
): Promise<void> =>
  correct(
    caller,
    { id, act: 'variable', comment: `${name} = ${JSON.stringify(value)}`.slice(0, 500) },
    async (trx, held) => {
      if (!isVariableName(name)) throw new FlowProblem(`变量${name}不能修改`)
      const by = { userId: caller.person.userId, tenantId: caller.person.tenantId, now: caller.now }
      await moveRun(server, trx, held, by, async run => run.setVariable(null, name, value))
    },
  )

/**
 * Lets a run go on that waits to be told so.
 * @throws row.notFound, row.wrongState where it does not wait at the step
 */
export const continueRun = (
  server: FlowServer,
  caller: Caller,
  { id, activityId }: { id: string; activityId: string },
): Promise<void> =>
  correct(caller, { id, act: 'continue', comment: activityId.slice(0, 500) }, async (trx, held) => {
    const token = [...held.state.tokens.values()].find(
      one =>
        one.node === activityId &&
        one.state === TokenState.waiting &&
        stepOf(held.graph, one.node).type === 'receiveTask',
    )
    if (!token) throw refuse('row.wrongState')
    const by = { userId: caller.person.userId, tenantId: caller.person.tenantId, now: caller.now }
    await moveRun(server, trx, held, by, run => received(run, token))
  })
