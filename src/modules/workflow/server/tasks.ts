import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { type Caller, callerOf } from '../../../platform/access/server/caller.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { completeTask } from '../rules/run/acts.ts'
import { type Task, TaskState } from '../rules/run/state.ts'
import { stepOf } from '../rules/run/ways.ts'
import type { Variables } from '../rules/value.ts'
import { fieldsAt, plainVariables, readFields, requireSettable } from '../rules/variable-rights.ts'
import type { FlowServer } from './action.ts'
import { changeForm } from './change-form.ts'
import { addCopies } from './copies.ts'
import { keepLog } from './logs.ts'
import { forPerson, moveRun } from './move.ts'
import { type HeldRun, holdRun } from './store.ts'
import { tellTasks } from './task-told.ts'
import { isCandidate } from './waiting.ts'

/** Who does a task, and when. */
type Doer = Pick<Person, 'userId' | 'tenantId'> & { readonly now: Date }

/** A task of the tenant as it lies there, whether or not its run is over. */
export const taskRow = (db: Live, id: string) =>
  db
    .selectFrom('flow_task as t')
    .innerJoin('flow_instance as i', 'i.id', 't.instanceId')
    .select(['t.id', 't.instanceId', 't.assignee', 't.state', 't.pass', 't.comment', 't.claimTime', 't.nodeId'])
    .select(['t.candidateUsers', 't.candidateGroups', 'i.status'])
    .where('t.id', '=', id)
    .executeTakeFirst()

/**
 * Takes a task that waits for one of several people: of those who try, one gets it.
 * @throws workflow.taskNotFound when it is not there, not for this person, or somebody else's already
 */
export async function claimTask(server: FlowServer, { db, person, now }: Caller, taskId: string): Promise<void> {
  const { userId, tenantId } = person
  await db.transaction().execute(async trx => {
    const found = await taskRow(trx, taskId)
    const held = found && (await holdRun(trx, found.instanceId))
    const claimed = await trx
      .updateTable('flow_task as t')
      .set({ assignee: userId, claimTime: now, state: TaskState.open })
      .where('t.id', '=', held ? taskId : '0')
      .where(isCandidate(trx, person))
      .returning('t.instanceId')
      .executeTakeFirst()
    const task = held?.state.tasks.get(taskId)
    if (!claimed || !held || !task) {
      const row = await taskRow(trx, taskId)
      if (row?.assignee === userId && row.claimTime !== null && row.state === TaskState.open) return
      throw refuse('workflow.taskNotFound')
    }
    await tellTasks(trx, held.deploymentId, [{ ...task, assignee: userId, state: TaskState.open }], [task])
    Object.assign(task, { assignee: userId, claimTime: now, state: TaskState.open })
    await forPerson(() => moveRun(server, trx, held, { userId, tenantId, now }, run => run.assigned(task)))
    await keepLog(trx, { ...claimed, taskId, act: 'claim', fromUser: userId, time: now })
  })
}

/**
 * Gives a task back that was claimed: it waits for whoever could claim it.
 * @throws workflow.taskNotFound for a task that is not this person's, row.wrongState for one that nobody else could do
 */
export async function unclaimTask({ db, person, now }: Caller, taskId: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const found = await taskRow(trx, taskId)
    const held = found && (await holdRun(trx, found.instanceId))
    const given = await trx
      .updateTable('flow_task')
      .set({ assignee: null, claimTime: null, state: TaskState.claimable })
      .where('id', '=', held ? taskId : '0')
      .where('state', '=', sql.lit(TaskState.open))
      .where('assignee', '=', person.userId)
      .where('claimTime', 'is not', null)
      .returning('instanceId')
      .executeTakeFirst()
    const task = held?.state.tasks.get(taskId)
    if (given && held && task) {
      await tellTasks(trx, held.deploymentId, [{ ...task, assignee: null, state: TaskState.claimable }], [task])
      return keepLog(trx, { ...given, taskId, act: 'unclaim', fromUser: person.userId, time: now })
    }
    const row = await taskRow(trx, taskId)
    if (row?.assignee === person.userId) throw refuse('row.wrongState')
    const last = await lastAct(trx, taskId)
    const isRepeat = row?.state === TaskState.claimable && last?.act === 'unclaim' && last.fromUser === person.userId
    if (!isRepeat) throw refuse('workflow.taskNotFound')
  })
}

/** What was done last with a task. */
export const lastAct = (db: Live, taskId: string) =>
  db
    .selectFrom('flow_task_log')
    .select(['act', 'fromUser', 'toUser', 'comment'])
    .where('taskId', '=', taskId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

/** A decision about a task. */
export interface Decision {
  taskId: string
  processInstanceId: string
  pass: boolean
  comment: string
  /** What was filled in; what the process was begun with stays as it is. */
  variables: Readonly<Record<string, unknown>>
  /** Who is told of the run from now on. */
  copyUsers?: readonly string[]
}

/** Whether one person has decided on a task in just this way. */
const isDecided = (
  task: Awaited<ReturnType<typeof taskRow>>,
  { userId }: Pick<Doer, 'userId'>,
  decision: Decision,
): boolean =>
  task !== undefined &&
  task.state === TaskState.done &&
  task.assignee === userId &&
  task.instanceId === decision.processInstanceId &&
  task.pass === decision.pass &&
  (task.comment ?? '') === decision.comment

/**
 * Does a task and goes on as far as the process can, in a transaction of the caller's.
 * @param change changes the form of the run, where the task is to do just that, and answers what it held before
 * @throws workflow.taskDone when it is not this person's to do or is done already, row.wrongState while others were asked about
 * it, input.invalid when no way is open from it or variables may not be set
 */
export async function complete(
  server: FlowServer,
  db: Live,
  { userId, tenantId, now }: Doer,
  decision: Decision,
  change?: (held: HeldRun) => Promise<object | null>,
): Promise<void> {
  const { taskId, processInstanceId, pass, comment } = decision
  const held = await holdRun(db, processInstanceId)
  if (isDecided(await taskRow(db, taskId), { userId }, decision)) return
  const task = held?.state.tasks.get(taskId)
  if (!held || !task || task.assignee !== userId) throw refuse('workflow.taskDone')
  const { delegated, consulting, open } = TaskState
  if (task.state === delegated || task.state === consulting) throw refuse('row.wrongState')
  if (task.state !== open) throw refuse('workflow.taskDone')
  const by = { userId, tenantId, now }
  let form: object | null = null
  await forPerson(async () => {
    const isForm = task.node === held.graph.start
    if (isForm) form = (await change?.(held)) ?? null
    const variables = isForm ? {} : readVariables(held, task, decision.variables)
    const given = { pass, comment, variables }
    await moveRun(server, db, held, by, run => completeTask(run, task, given), task)
    await addCopies(db, { instanceId: held.id, nodeId: task.node, now }, decision.copyUsers ?? [])
  })
  await keepLog(db, { instanceId: held.id, taskId, act: 'complete', fromUser: userId, comment, form, time: now })
}

/** What somebody filled in at a task, as the process knows it. @throws FlowProblem */
export function readVariables(
  { graph, state }: HeldRun,
  task: Task,
  given: Readonly<Record<string, unknown>>,
): Variables {
  const node = stepOf(graph, task.node)
  const plain = plainVariables(given)
  requireSettable(graph, node, state.facts, plain)
  const fields = fieldsAt(node)
  return fields.length > 0 ? readFields(fields, plain, true) : plain
}

/** Does a task: {@link complete} in a transaction of its own. */
export async function decide(request: FastifyRequest, decision: Decision): Promise<void> {
  const { db, person, now } = callerOf(request.server, request)
  await db
    .transaction()
    .execute(trx =>
      complete(request.server, trx, { ...person, now }, decision, held =>
        changeForm(request, trx, held, decision.variables),
      ),
    )
}
