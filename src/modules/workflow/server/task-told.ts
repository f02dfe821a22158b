import { flowEvents } from '#resources/workflow/events'
import { emit } from '../../../crud/emit.ts'
import { type Live, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { isOpen, type Task, TaskState } from '../rules/run/state.ts'
import './flow-tables.ts'
import { candidatesOf } from './people.ts'

/** Who has a task, by which a change shows whether it has reached somebody else. */
export type Holder = Pick<Task, 'id' | 'assignee' | 'state'>

/** Whether a task waits for others than before. */
const hasMoved = (task: Holder, before: Holder | undefined): boolean =>
  !before || before.state !== task.state || before.assignee !== task.assignee

/**
 * Says that tasks have reached people, or wait for nobody any more, in the transaction of the move.
 * @param deploymentId whose process they are of
 * @param before tasks as they were; one that is not there is new
 */
export async function tellTasks(
  db: Live,
  deploymentId: string,
  tasks: readonly Pick<Task, 'id' | 'name' | 'assignee' | 'state' | 'dueTime'>[],
  before: readonly Holder[],
): Promise<void> {
  const was = new Map(before.map(one => [one.id, one]))
  const moved = tasks.filter(one => hasMoved(one, was.get(one.id)))
  const isWaiting = (one: Holder) => isOpen(one as Task) && one.state !== TaskState.consulting
  const waiting = moved.filter(isWaiting)
  const ended = moved.filter(one => was.has(one.id) && !isWaiting(one))
  // Only transactions move runs.
  const trx = db as LiveTrx
  if (ended.length > 0) await emit(trx, flowEvents.taskEnded, ended)
  if (waiting.length === 0) return
  const { name: processName } = await db
    .selectFrom(withRemoved('flow_deployment'))
    .select('name')
    .where('id', '=', deploymentId)
    .executeTakeFirstOrThrow()
  const factsOf = new Map(waiting.map(one => [one.id, { taskName: one.name, processName, due: one.dueTime }]))
  const facts = ({ id }: { id: string }) => factsOf.get(id) ?? { taskName: '', processName, due: null }
  const offered = waiting.filter(one => one.state === TaskState.claimable)
  const arrived = waiting.filter(one => one.state !== TaskState.claimable)
  if (arrived.length > 0) await emit(trx, flowEvents.taskArrived, arrived, facts)
  if (offered.length > 0) await emit(trx, flowEvents.taskOffered, offered, facts)
}

/** Whoever a task waits for: who is to do it, or all who may claim it; nobody once it is done. */
export async function taskDoers(db: LiveTrx, taskId: string): Promise<readonly string[]> {
  const task = await db
    .selectFrom('flow_task')
    .select(['assignee', 'state', 'candidateUsers', 'candidateGroups'])
    .where('id', '=', taskId)
    .executeTakeFirst()
  if (!task || !isOpen(task)) return []
  return task.assignee ? [task.assignee] : candidatesOf(db, task.candidateUsers, task.candidateGroups)
}
