import { sql } from 'kysely'
import { FlowRun } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import type { Variables } from '../rules/expression.ts'
import type { Graph } from '../rules/graph.ts'
import { moveOn } from './move.ts'
import { isClaimable } from './waiting.ts'

/** Who does a task. */
type Doer = Pick<Person, 'userId'>

/**
 * Takes a task that waits for one of several people. One statement decides: of those who try, one gets it.
 * @throws workflow.taskNotFound when it is not there, not for this person, or somebody else's already
 */
export async function claimTask({ db, person, now }: Caller, taskId: string): Promise<void> {
  const claimed = await db
    .updateTable('flow_activity as a')
    .from('flow_instance as i')
    .set({ assignee: person.userId, claimTime: now })
    .where('a.id', '=', taskId)
    .whereRef('i.id', '=', 'a.instanceId')
    .where('i.status', '=', sql.lit(FlowRun.running))
    .where(isClaimable(person))
    .returning('a.id')
    .executeTakeFirst()
  if (claimed) return
  const task = await taskOf(db, taskId)
  if (!task || !isOwnRepeat(task, task.claimTime !== null && task.endTime === null, person))
    throw refuse('workflow.taskNotFound')
}

/** A task of the tenant, its doer as the one who changed it last. */
async function taskOf(db: Live, taskId: string) {
  return db
    .selectFrom('flow_activity as a')
    .innerJoin('flow_instance as i', 'i.id', 'a.instanceId')
    .select(['a.assignee as updateUser', 'a.instanceId', 'a.claimTime', 'a.endTime', 'a.pass', 'a.comment'])
    .where('a.id', '=', taskId)
    .where('a.type', '=', 'userTask')
    .executeTakeFirst()
}

/** Whether one person has decided on a task in just this way. */
async function isDecided(db: Live, person: Doer, decision: Decision): Promise<boolean> {
  const task = await taskOf(db, decision.taskId)
  if (!task || task.instanceId !== decision.processInstanceId || task.endTime === null) return false
  return isOwnRepeat(task, task.pass === decision.pass && (task.comment ?? '') === decision.comment, person)
}

/** A decision about a task. */
export interface Decision {
  taskId: string
  processInstanceId: string
  pass: boolean
  comment: string
  /** Added to what the process knows; what it was begun with stays as it is. */
  variables: Variables
}

interface Held {
  graph: Graph
  facts: Variables
  variables: Variables
}

/**
 * Holds the run, so that whoever else wants to move or end it waits, and adds the variables.
 * @throws workflow.taskDone when it does not run any more
 */
async function hold(db: Live, decision: Decision): Promise<Held> {
  const held = await db
    .updateTable('flow_instance as i')
    .from('flow_version as v')
    .set({ variables: sql<string>`i.variables || ${JSON.stringify(decision.variables)}::jsonb` })
    .where('i.id', '=', decision.processInstanceId)
    .where('i.status', '=', sql.lit(FlowRun.running))
    .whereRef('v.id', '=', 'i.versionId')
    .returning(['v.graph', 'i.facts', 'i.variables'])
    .executeTakeFirst()
  if (!held) throw refuse('workflow.taskDone')
  return { ...held, graph: held.graph as Graph }
}

/**
 * Does a task and goes on to the next one, in a transaction of the caller's.
 * @throws workflow.taskDone when it is not this person's to do or is done already, input.invalid when no way is open
 * from it
 */
export async function complete(db: Live, person: Doer, decision: Decision, now: Date): Promise<void> {
  const { taskId, processInstanceId, pass, comment } = decision
  await db.selectFrom('flow_instance').select('id').where('id', '=', processInstanceId).forNoKeyUpdate().execute()
  if (await isDecided(db, person, decision)) return
  const { graph, facts, variables } = await hold(db, decision)
  const done = await db
    .updateTable('flow_activity')
    .set({ endTime: now, pass, comment })
    .where('id', '=', taskId)
    .where('instanceId', '=', processInstanceId)
    .where('type', '=', 'userTask')
    .where('assignee', '=', person.userId)
    .where('endTime', 'is', null)
    .returning('activityId')
    .executeTakeFirst()
  if (!done) throw refuse('workflow.taskDone')
  const known = { ...variables, ...facts, pass }
  const moving = { id: processInstanceId, graph, variables: known }
  await moveOn(db, moving, done.activityId, now)
}

/** Does a task: {@link complete} in a transaction of its own. */
export const decide = ({ db, person, now }: Caller, decision: Decision): Promise<void> =>
  db.transaction().execute(trx => complete(trx, person, decision, now))
