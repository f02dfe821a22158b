import { sql } from 'kysely'
import { FlowCancel, FlowRun } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { type Live, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { tellInbox } from '../../messages/server/inbox.ts'
import { FlowProblem } from '../rules/problem.ts'
import { addSigns, backTargets, canTakeBack, removeSign, sendBack, takeBack } from '../rules/run/acts.ts'
import { isOpen, type SignKind, type Task, TaskState } from '../rules/run/state.ts'
import type { FlowServer, Mover } from './action.ts'
import { endRuns } from './end.ts'
import type { FlowAct } from './flow-tables.ts'
import { formOfTable } from './forms.ts'
import { keepLog } from './logs.ts'
import { forPerson, lookInto, moveRun } from './move.ts'
import { ableOf, candidatesOf } from './people.ts'
import { type HeldRun, holdRun, readMove, readRun } from './store.ts'
import { lastAct, readVariables, taskRow } from './tasks.ts'

/** Right to put right what processes of others do. */
export const managing = 'flow_follow_delete'

/** A task of a running run, held by somebody who does something with it. */
interface HeldTask {
  readonly db: LiveTrx
  readonly held: HeldRun
  readonly task: Task
  readonly by: Mover & { readonly userId: string }
}

/** What is done with a task. */
interface Doing {
  readonly taskId: string
  readonly act: FlowAct
  readonly toUser?: string | null
  readonly comment: string
}

/** Whether somebody did just this with the task last, so that it is a success without a second effect. */
async function isRepeat(db: Live, userId: string, { taskId, act, toUser = null, comment }: Doing): Promise<boolean> {
  const last = await lastAct(db, taskId)
  return (
    last?.act === act &&
    last.fromUser === userId &&
    (last.toUser ?? null) === toUser &&
    (last.comment ?? '') === comment
  )
}

/**
 * Does something with a task in a transaction of its own, and keeps a log of it.
 * @param work throws the refusal where the task does not stand so that it can be done
 * @throws workflow.taskNotFound when it is not there, workflow.taskDone when its run is over
 */
async function withTask(
  { db, person, now }: Caller,
  doing: Doing,
  work: (held: HeldTask) => Promise<void>,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const row = await taskRow(trx, doing.taskId)
    if (!row) throw refuse('workflow.taskNotFound')
    const held = await holdRun(trx, row.instanceId)
    if (await isRepeat(trx, person.userId, doing)) return
    if (!held) throw refuse('workflow.taskDone')
    if (doing.act === 'withdraw') await readMove(trx, held.state, doing.taskId)
    const task = held.state.tasks.get(doing.taskId)
    if (!task) throw refuse('workflow.taskDone')
    const by = { userId: person.userId, tenantId: person.tenantId, now }
    await forPerson(() => work({ db: trx, held, task, by }))
    const { taskId, act, toUser = null, comment } = doing
    await keepLog(trx, {
      instanceId: held.id,
      taskId,
      act,
      fromUser: person.userId,
      toUser,
      comment,
      time: now,
    })
  })
}

/** Only who has a task to do, and nobody else. @throws workflow.taskDone, row.wrongState while others are asked about it */
function requireOwn({ task, by }: HeldTask, ...states: readonly TaskState[]): void {
  if (task.assignee !== by.userId || !isOpen(task)) throw refuse('workflow.taskDone')
  if (!states.includes(task.state)) throw refuse('row.wrongState')
}

/** Somebody else who is to do a task. @throws FlowProblem for who could not, or must not */
async function requireAble({ db, held, task, by }: HeldTask, users: readonly string[]): Promise<void> {
  if (users.length === 0) throw new FlowProblem('请选择办理人')
  if (users.includes(by.userId) && task.assignee === by.userId) throw new FlowProblem('不能选择本人')
  if (new Set(users).size < users.length) throw new FlowProblem('不能重复选择同一人')
  if ((await ableOf(db, users)).length < users.length) throw new FlowProblem('所选人员不能办理流程')
  if (formOfTable(held.businessTable)?.forbidsOwn && users.includes(held.state.starter))
    throw new FlowProblem('审批人不能是本人')
}

/** Steps that a task can be sent back to, the last first. @throws workflow.taskNotFound, workflow.taskDone */
export async function targetsOf(server: FlowServer, { db, person, now }: Caller, taskId: string) {
  const row = await taskRow(db, taskId)
  if (!row) throw refuse('workflow.taskNotFound')
  const held = await readRun(db, row.instanceId)
  const task = held?.state.tasks.get(taskId)
  if (!held || held.state.status !== FlowRun.running || !task || task.assignee !== person.userId)
    throw refuse('workflow.taskDone')
  const by = { userId: person.userId, tenantId: person.tenantId, now }
  return (await backOf(server, db, { held, task, by })).map(({ node, doneBy, name }) => ({
    activityId: node.id,
    name: node.name || (doneBy.isStart ? '发起人修改' : node.id),
    isStart: doneBy.isStart,
    assigneeName: name,
  }))
}

/** Steps that a task can be sent back to, with who did each last. */
async function backOf(server: FlowServer, db: Live, { held, task, by }: Omit<HeldTask, 'db'>) {
  const done = await db
    .selectFrom('flow_task as t')
    .leftJoin('user as u', 'u.id', 't.assignee')
    .select(['t.nodeId', 't.assignee', 'u.realName'])
    .where('t.instanceId', '=', held.id)
    .where('t.state', '=', sql.lit(TaskState.done))
    .orderBy('t.id', 'desc')
    .execute()
  const starter = await db.selectFrom('user').select('realName').where('id', '=', held.state.starter).executeTakeFirst()
  const was = (id: string) => done.find(({ nodeId }) => nodeId === id)
  const targets = backTargets(lookInto(server, db, held, by), task, id => was(id) !== undefined)
  return targets.map(node => {
    const isStart = node.id === held.graph.start
    const last = was(node.id)
    const name = (isStart ? starter?.realName : last?.realName) ?? null
    return { node, name, doneBy: { isStart, userId: isStart ? null : (last?.assignee ?? null) } }
  })
}

/** How a task is sent back. */
interface BackWish {
  readonly taskId: string
  readonly targetActivityId: string
  readonly comment: string
  readonly direct: boolean
}

/**
 * Sends a task back to a step that was done before, or to who began the run.
 * @throws workflow.taskDone, row.wrongState, input.invalid for a step that it cannot be sent back to
 */
export const backTask = (server: FlowServer, caller: Caller, wish: BackWish): Promise<void> =>
  withTask(caller, { ...wish, act: 'back' }, async one => {
    requireOwn(one, TaskState.open)
    const { db, held, task, by } = one
    const target = (await backOf(server, db, one)).find(({ node }) => node.id === wish.targetActivityId)
    if (!target) throw new FlowProblem('不能退回到该步骤')
    const { userId } = target.doneBy
    const [doneBy = null] = userId ? await ableOf(db, [userId]) : []
    const back = { target: target.node.id, comment: wish.comment, isDirect: wish.direct, doneBy }
    await moveRun(server, db, held, by, run => sendBack(run, task, back), task)
  })

/** What is done with a task for another person. */
interface Handing {
  readonly taskId: string
  readonly userId: string
  readonly comment: string
}

/** Writes that a task has somebody else to do it. */
const keepAssigned = ({ db, held, by, task }: HeldTask, server: FlowServer) =>
  moveRun(server, db, held, by, run => run.assigned(task))

/**
 * Gives a task to somebody else, who does it from now on; managers may give any open task to anybody.
 * @throws workflow.taskDone, row.wrongState, input.invalid for who could not do it
 */
export const transferTask = (server: FlowServer, caller: Caller, wish: Handing): Promise<void> =>
  withTask(caller, { ...wish, act: 'transfer', toUser: wish.userId }, async one => {
    const { task } = one
    const isManaging = caller.person.permissions.has(managing)
    if (!isManaging) requireOwn(one, TaskState.open)
    else if (!isOpen(task)) throw refuse('workflow.taskDone')
    else if (task.state === TaskState.consulting) throw refuse('row.wrongState')
    await requireAble(one, [wish.userId])
    task.assignee = wish.userId
    task.claimTime = null
    if (task.state === TaskState.claimable) task.state = TaskState.open
    await keepAssigned(one, server)
  })

/**
 * Asks somebody else to look at a task, who gives it back.
 * @throws workflow.taskDone, row.wrongState, input.invalid for who could not do it
 */
export const delegateTask = (server: FlowServer, caller: Caller, wish: Handing): Promise<void> =>
  withTask(caller, { ...wish, act: 'delegate', toUser: wish.userId }, async one => {
    requireOwn(one, TaskState.open)
    await requireAble(one, [wish.userId])
    one.task.owner = one.by.userId
    one.task.assignee = wish.userId
    one.task.state = TaskState.delegated
    await keepAssigned(one, server)
  })

/**
 * Gives a task back to who asked to look at it, with an opinion.
 * @throws workflow.taskDone, row.wrongState for a task that nobody asked to look at
 */
export const resolveTask = (
  server: FlowServer,
  caller: Caller,
  wish: { readonly taskId: string; readonly comment: string },
): Promise<void> =>
  withTask(caller, { ...wish, act: 'resolve' }, async one => {
    requireOwn(one, TaskState.delegated)
    one.task.assignee = one.task.owner
    one.task.owner = null
    one.task.state = TaskState.open
    await keepAssigned(one, server)
  })

/** How others are asked to sign, too. */
interface SignWish {
  readonly taskId: string
  readonly userIds: readonly string[]
  readonly kind: SignKind
  readonly comment: string
  /** Own opinion, where the others come after. */
  readonly pass: boolean
  readonly variables: Readonly<Record<string, unknown>>
}

/**
 * Asks others to sign, too.
 * @throws workflow.taskDone, row.wrongState, input.invalid for who could not do it, or where nobody can be added
 */
export const addSign = (server: FlowServer, caller: Caller, wish: SignWish): Promise<void> => {
  const { userIds, kind, comment, pass } = wish
  const toUser = userIds[0] ?? null
  return withTask(caller, { taskId: wish.taskId, act: 'sign-add', toUser, comment }, async one => {
    requireOwn(one, TaskState.open)
    const { db, held, task, by } = one
    await requireAble(one, userIds)
    const asked = [...held.state.tasks.values()].filter(each => each.node === task.node && isOpen(each))
    if (asked.some(each => each.assignee !== null && userIds.includes(each.assignee)))
      throw new FlowProblem('所选人员已在办理')
    const own = kind === 'after' ? { pass, comment, variables: readVariables(held, task, wish.variables) } : null
    const work = (run: Parameters<typeof addSigns>[0]) => addSigns(run, task, { kind, users: userIds, own })
    await moveRun(server, db, held, by, work, own ? task : null)
    const [, ...others] = userIds
    const log = { instanceId: held.id, taskId: task.id, act: 'sign-add' as const, fromUser: by.userId, time: by.now }
    await keepLog(db, ...others.map(user => ({ ...log, toUser: user, comment })))
  })
}

/**
 * Takes back that somebody was asked to sign, too, while they have not.
 * @param wish names the task of who was asked
 * @throws workflow.taskDone when they have, or it is not the caller who asked
 */
export const dropSign = (
  server: FlowServer,
  caller: Caller,
  wish: { readonly taskId: string; readonly comment: string },
): Promise<void> =>
  withTask(caller, { ...wish, act: 'sign-remove' }, async ({ db, held, task, by }) => {
    const parent = task.parentTask === null ? undefined : await taskRow(db, task.parentTask)
    if (!parent || parent.assignee !== by.userId || !isOpen(task)) throw refuse('workflow.taskDone')
    await moveRun(server, db, held, by, run => removeSign(run, task))
  })

/**
 * Takes a decision of one's own back while nobody has done anything since.
 * @throws workflow.taskDone for a task that is not one's own, row.wrongState when it is too late
 */
export const withdrawTask = (
  server: FlowServer,
  caller: Caller,
  wish: { readonly taskId: string; readonly comment: string },
): Promise<void> =>
  withTask(caller, { ...wish, act: 'withdraw' }, async ({ db, held, task, by }) => {
    if (task.assignee !== by.userId || task.state !== TaskState.done) throw refuse('workflow.taskDone')
    if (!canTakeBack(lookInto(server, db, held, by), task)) throw refuse('row.wrongState')
    await moveRun(server, db, held, by, run => takeBack(run, task))
  })

/** Whether anybody has decided anything in a run. */
async function hasDecisions(db: Live, instanceId: string): Promise<boolean> {
  const found = await db
    .selectFrom('flow_task')
    .select('id')
    .where('instanceId', '=', instanceId)
    .where('state', 'in', [TaskState.done, TaskState.returned])
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Whether who began a running run may take it back as it stands: not one that another has called. */
export async function canCancel(
  db: Live,
  { id, parentToken, deploymentId }: Pick<HeldRun, 'id' | 'parentToken' | 'deploymentId'>,
): Promise<boolean> {
  if (parentToken !== null) return false
  const deployment = await db
    .selectFrom(withRemoved('flow_deployment as d'))
    .select('d.allowCancel')
    .where('d.id', '=', deploymentId)
    .executeTakeFirst()
  return deployment?.allowCancel === FlowCancel.always || !(await hasDecisions(db, id))
}

/**
 * Ends a run of one's own: before anybody has decided anything, or at any time where what is deployed says so.
 * @throws row.notFound for a run that is not one's own, row.wrongState when it is over or it is too late
 */
export async function cancelRun(
  server: FlowServer,
  { db, person, now }: Caller,
  { processInstanceId, reason }: { processInstanceId: string; reason: string },
): Promise<void> {
  const { userId } = person
  await db.transaction().execute(async trx => {
    const held = await holdRun(trx, processInstanceId)
    const row = await trx
      .selectFrom('flow_instance')
      .select(['starter', 'endUser', 'endReason'])
      .where('id', '=', processInstanceId)
      .executeTakeFirst()
    if (row?.starter !== userId) throw refuse('row.notFound')
    if (!held && row.endUser === userId && row.endReason === reason) return
    if (!held || !(await canCancel(trx, held))) throw refuse('row.wrongState')
    await endRuns(server, trx, [held.id], { userId, tenantId: person.tenantId, now, reason })
    const log = { instanceId: held.id, taskId: null, act: 'cancel' as const, fromUser: userId }
    await keepLog(trx, { ...log, comment: reason, time: now })
  })
}

/** Milliseconds between two times that people are asked to hurry. */
const pause = 10 * 60_000

/**
 * Asks whoever has something to do in a run to hurry.
 * @throws row.notFound for a run that is not one's own, row.wrongState when it is over, input.tooOften soon after another time
 */
export async function urgeRun(
  server: FlowServer,
  { db, person, now }: Caller,
  processInstanceId: string,
): Promise<void> {
  await db.transaction().execute(async trx => {
    const held = await holdRun(trx, processInstanceId)
    const row = await trx
      .selectFrom('flow_instance')
      .select(['starter', 'urgeTime'])
      .where('id', '=', processInstanceId)
      .executeTakeFirst()
    if (!row || (row.starter !== person.userId && !person.permissions.has('flow_follow'))) throw refuse('row.notFound')
    if (!held) throw refuse('row.wrongState')
    if (row.urgeTime && now.getTime() - row.urgeTime.getTime() < pause) throw refuse('input.tooOften')
    const open = [...held.state.tasks.values()].filter(one => isOpen(one) && one.state !== TaskState.consulting)
    const users: string[] = []
    for (const { assignee, candidateUsers, candidateGroups } of open)
      users.push(...(assignee ? [assignee] : await candidatesOf(trx, candidateUsers, candidateGroups)))
    await trx.updateTable('flow_instance').set({ urgeTime: now }).where('id', '=', held.id).execute()
    if (open.length > 0)
      await trx
        .updateTable('flow_task')
        .set(eb => ({ urgeCount: eb('urgeCount', '+', 1) }))
        .where(
          'id',
          'in',
          open.map(({ id }) => id),
        )
        .execute()
    const content = `${person.name}提醒您尽快办理：${held.title}`
    await tellInbox(server, trx, { tenantId: person.tenantId, userIds: users, title: '流程催办', content }, now)
    const log = { instanceId: held.id, fromUser: person.userId, act: 'urge' as const, time: now }
    await keepLog(trx, ...open.map(({ id }) => ({ ...log, taskId: id })))
  })
}
