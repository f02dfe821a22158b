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

/** Who does a task. */
type Doer = Pick<Person, 'userId' | 'tenantId'>

/**
 * Takes a task that waits for one of several people. One statement decides: of those who try, one gets it.
 * @throws workflow.taskNotFound when it is not there, not for this person, or somebody else's already
 */
export async function claimTask({ db, person, now }: Caller, taskId: string): Promise<void> {
  const { rows } = await sql`
    UPDATE flow_activity a SET assignee = ${person.userId}, "claimTime" = ${now} FROM flow_instance i
    WHERE a.id = ${taskId} AND i.id = a."instanceId" AND i."tenantId" = ${person.tenantId} AND i.status = ${sql.lit(FlowRun.running)}
      AND a.type = 'userTask' AND a."endTime" IS NULL AND a.assignee IS NULL AND a.groups && ${[...person.roles]}::text[]
    RETURNING a.id`.execute(db)
  if (rows.length > 0) return
  const task = await taskOf(db, person, taskId)
  if (!task || !isOwnRepeat(task, task.claimTime !== null && task.endTime === null, person))
    throw refuse('workflow.taskNotFound')
}

/** A task of the person's tenant, its doer as the one who changed it last. */
async function taskOf(db: Live, { tenantId }: Pick<Person, 'tenantId'>, taskId: string) {
  return db
    .selectFrom('flow_activity as a')
    .innerJoin('flow_instance as i', 'i.id', 'a.instanceId')
    .select(['a.assignee as updateUser', 'a.instanceId', 'a.claimTime', 'a.endTime', 'a.pass', 'a.comment'])
    .where('a.id', '=', taskId)
    .where('i.tenantId', '=', tenantId)
    .where('a.type', '=', 'userTask')
    .executeTakeFirst()
}

/** Whether one person has decided on a task in just this way. */
async function isDecided(db: Live, person: Doer, decision: Decision): Promise<boolean> {
  const task = await taskOf(db, person, decision.taskId)
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
async function hold(db: Live, { tenantId }: Doer, decision: Decision): Promise<Held> {
  const { rows } = await sql<Held>`
    UPDATE flow_instance i SET variables = i.variables || ${JSON.stringify(decision.variables)}::jsonb FROM flow_version v
    WHERE i.id = ${decision.processInstanceId} AND i."tenantId" = ${tenantId} AND i.status = ${sql.lit(FlowRun.running)} AND v.id = i."versionId"
    RETURNING v.graph, i.facts, i.variables`.execute(db)
  if (!rows[0]) throw refuse('workflow.taskDone')
  return rows[0]
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
  const { graph, facts, variables } = await hold(db, person, decision)
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
