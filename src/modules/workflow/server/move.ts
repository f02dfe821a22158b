import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { FlowProblem } from '../rules/problem.ts'
import { type Env, FlowError } from '../rules/run/env.ts'
import { Run } from '../rules/run/run.ts'
import { type Task, TokenState } from '../rules/run/state.ts'
import type { FlowServer, Mover } from './action.ts'
import { actionOf, filledFields } from './actions.ts'
import { doersOf } from './people.ts'
import { type HeldRun, type Kept, writeRun } from './store.ts'
import { enterWork } from './work-items.ts'
import './flow-tables.ts'

function envOf(server: FlowServer, db: Live, held: HeldRun, { tenantId, userId, now }: Mover): Env {
  const { starter } = held.state
  return {
    now,
    doersOf: (node, variables) => doersOf(db, node.doers, { starter, name: node.name || node.id, variables }),
    kindOf: name => actionOf(name).when,
    fieldsOf: filledFields,
    act: (name, fields, place) =>
      actionOf(name).run({ server, db, tenantId, now, userId, run: { ...held, starter }, key: null, ...place }, fields),
  }
}

/** Does something with a run in memory that changes nothing of it. */
export const lookInto = (server: FlowServer, db: Live, held: HeldRun, by: Mover): Run =>
  new Run(held.graph, held.state, envOf(server, db, held, by))

/**
 * Moves a run that is held, and writes what has changed with all that is to follow from it.
 * @param cause task whose decision moves it
 * @throws FlowProblem when it cannot move; nothing of the transaction may be kept then
 */
export async function moveRun(
  server: FlowServer,
  db: Live,
  held: HeldRun,
  by: Mover,
  work: (run: Run) => Promise<unknown>,
  cause: Task | null = null,
): Promise<Kept> {
  const run = new Run(held.graph, held.state, envOf(server, db, held, by), cause)
  try {
    await work(run)
  } catch (error) {
    if (!(error instanceof FlowError)) throw error
    // Whoever has called this process is told, and may catch it.
    if (held.parentToken === null) throw new FlowProblem(`流程错误没有处理：${error.message}`)
    await run.fail(error)
  }
  const kept = await writeRun(db, held, run, by)
  await enterWork(server, db, held, { run, kept, by })
  const stuck = held.incidentToken === null ? undefined : run.state.tokens.get(held.incidentToken)
  if (held.incidentToken !== null && (!stuck || stuck.state === TokenState.over)) await clearIncident(db, held.id)
  return kept
}

/** Nothing keeps a run from going on any more. */
export const clearIncident = (db: Live, id: string) =>
  db.updateTable('flow_instance').set({ incident: null, incidentToken: null }).where('id', '=', id).execute()

/**
 * Does something that somebody in front of a screen wants of a run.
 * @throws input.invalid in the words of a problem
 */
export async function forPerson<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof FlowProblem ? refuse('input.invalid', { 说明: error.message }) : error
  }
}
