import { evaluate } from '../expression.ts'
import type { FlowNode, Loop } from '../flow-graph.ts'
import { FlowProblem } from '../problem.ts'
import type { Value, Variables } from '../value.ts'
import { FlowError } from './env.ts'
import { limits } from './limits.ts'
import type { Run } from './run.ts'
import { isOpen, type SignKind, type Stored, type Task, TaskState, type Token, TokenState } from './state.ts'
import { backwards, stepOf } from './ways.ts'

/** What somebody decides about a task. */
export interface Decided {
  readonly pass: boolean
  readonly comment: string
  readonly variables: Variables
}

/** Token of the scope that a step of this scope is in, from a token inside of it. @returns null for the process itself */
function scopeAround(run: Run, token: Token, scope: string | null): string | null {
  if (scope === null) return null
  for (let at: Token | null = token; at; at = at.parent === null ? null : run.token(at.parent))
    // Outside of itself: a token that stands at a sub-process is the scope of what is inside of it.
    if (at !== token && at.node === scope) return at.id
  throw new Error(`The token ${token.id} is not inside of «${scope}».`)
}

/** All that was asked of people at a step has been done. */
async function afterTask(run: Run, token: Token): Promise<void> {
  const tasks = run.tasksOf(token.id)
  if (tasks.some(isOpen)) return
  const counts = tasks.filter(one => one.state === TaskState.done && one.signKind !== 'before')
  const pass = counts.every(one => one.pass !== false)
  const from = token.loc.$direct
  if (typeof from === 'string' && (await returnTo(run, token, from, pass))) return
  // The form that came back has no opinion.
  if (token.node === run.graph.start) return run.leave(token, run.nodeOf(token))
  await run.decide(token, pass)
}

/**
 * Somebody decides on a task of theirs; the run goes on as far as it can.
 * @throws FlowProblem when it cannot
 */
export async function completeTask(run: Run, task: Task, { pass, comment, variables }: Decided): Promise<void> {
  const token = run.token(task.token)
  task.pass = pass
  task.comment = comment
  await run.closeTask(task, TaskState.done)
  for (const [name, value] of Object.entries(variables)) run.setVariable(token, name, value)
  const node = run.nodeOf(token)
  await run.listen(node.listeners, 'complete', token, task)
  if (task.signKind === 'before') reopenParent(run, task)
  await afterTask(run, token)
  await run.settle()
}

/** Who asked others first goes on when all of them have answered. */
function reopenParent(run: Run, { parentTask, token }: Task): void {
  const others = run.tasksOf(token).filter(one => one.parentTask === parentTask && one.signKind === 'before')
  const parent = run.state.tasks.get(parentTask ?? '')
  if (!parent || parent.state !== TaskState.consulting || others.some(isOpen)) return
  parent.state = TaskState.open
  run.changes.tasks.add(parent)
}

/** Steps a task can be sent back to: done before in this run, and passed by every way to here; the start is the form itself. */
export const backTargets = (run: Run, task: Task, wasDone: (node: string) => boolean): FlowNode[] =>
  task.node === run.graph.start
    ? []
    : backwards(run.graph, task.node).filter(({ id }) => id === run.graph.start || wasDone(id))

/** How a task is sent back. */
export interface Return {
  readonly target: string
  readonly comment: string
  /** Whether whoever has to do something again sends it straight back to here. */
  readonly isDirect: boolean
  /** Who did the step before; null where that is to be found anew. */
  readonly doneBy: string | null
}

/**
 * Sends a task back: everything open around the target ends, and the target begins anew. The caller has looked whether it is
 * one of {@link backTargets}.
 */
export async function sendBack(run: Run, task: Task, { target, comment, isDirect, doneBy }: Return): Promise<void> {
  const node = stepOf(run.graph, target)
  const at = run.token(task.token)
  const scope = scopeAround(run, at, node.scope)
  task.comment = comment
  await run.closeTask(task, TaskState.returned)
  for (const one of run.openIn(scope)) await run.kill(one)
  const token = run.add(scope, target, null, isDirect ? { $direct: task.id } : {})
  if (target === run.graph.start) askStarter(run, token, node)
  else run.send(token)
  await run.settle()
  if (doneBy === null || node.loop) return
  for (const one of run.tasksOf(token.id)) {
    one.assignee = doneBy
    one.state = TaskState.open
  }
}

/** The form comes back to who began the run. */
function askStarter(run: Run, token: Token, { id, name }: FlowNode): void {
  token.state = TokenState.waiting
  const start = stepOf(run.graph, run.graph.start)
  run.addTask({
    ...emptyTask(run),
    id: run.newTaskId(),
    token: token.id,
    node: id,
    name: name || '发起人修改',
    assignee: run.state.starter,
    formKey: start.type === 'startEvent' ? (start.form?.key ?? null) : null,
  })
}

const emptyTask = (run: Run) => ({
  owner: null,
  candidateUsers: [],
  candidateGroups: [],
  priority: 50,
  dueTime: null,
  state: TaskState.open,
  pass: null,
  comment: null,
  parentTask: null,
  signKind: null,
  createTime: run.now,
  claimTime: null,
  endTime: null,
  endedBy: null,
  isFinal: false,
})

/** What somebody's decision ended, as it lies in the tables: its tokens and their tasks. */
const endedBy = (run: Run, task: string): Token[] =>
  [...run.state.tokens.values()].filter(one => one.state === TokenState.over && one.endedBy === task)

/**
 * Begins anew what the end of a task has ended: the same places, the same people.
 * @returns false when there is nothing of it
 */
async function revive(run: Run, cause: string): Promise<boolean> {
  const gone = endedBy(run, cause)
  const again = new Map<string, Token>()
  // Those around others first. What is around and still open has not ended.
  const place = (old: Token): Token => {
    const found = again.get(old.id)
    if (found) return found
    const around = old.parent === null ? null : gone.find(one => one.id === old.parent)
    const parent = around ? place(around).id : old.parent
    const loc: Stored = structuredClone(old.loc)
    const token = run.add(parent, old.node, old.via, loc)
    again.set(old.id, token)
    return token
  }
  for (const old of gone) place(old)
  for (const old of gone) {
    const token = place(old)
    const inside = gone.some(one => one.parent === old.id) || run.openIn(old.id).length > 0
    const tasks = run.tasksOf(old.id).filter(one => one.endedBy === cause)
    const node = run.nodeOf(token)
    if (tasks.length > 0 || inside) token.state = TokenState.waiting
    else if (isJoin(node)) token.state = TokenState.joining
    const ids = new Map(tasks.map(one => [one.id, run.newTaskId()]))
    for (const task of tasks)
      run.addTask({
        ...task,
        id: ids.get(task.id) as string,
        token: token.id,
        parentTask: task.parentTask && (ids.get(task.parentTask) ?? task.parentTask),
        state: stateAgain(task, tasks),
        pass: null,
        comment: null,
        createTime: run.now,
        endTime: null,
        endedBy: null,
        isFinal: false,
      })
    await run.resume(token)
  }
  return gone.length > 0
}

const isJoin = ({ type }: FlowNode) => type === 'parallelGateway' || type === 'inclusiveGateway'

function stateAgain(task: Task, all: readonly Task[]): TaskState {
  if (all.some(one => one.parentTask === task.id && one.signKind === 'before')) return TaskState.consulting
  return task.assignee === null ? TaskState.claimable : TaskState.open
}

/** What came back goes straight to where it came from, and so does all that was ended with it. */
async function returnTo(run: Run, token: Token, cause: string, pass: boolean): Promise<boolean> {
  if (endedBy(run, cause).length === 0) return false
  run.setPass(token.parent, pass)
  run.endToken(token)
  return revive(run, cause)
}

/**
 * Takes a decision back: what it made ends, and what it ended is there again. The caller has looked whether nobody has done
 * anything since.
 */
export async function takeBack(run: Run, task: Task): Promise<void> {
  for (const one of run.state.tokens.values())
    if (one.madeBy === task.id && one.state !== TokenState.over) await run.kill(one)
  const member = run.state.tokens.get(task.token)
  await revive(run, task.id)
  const body = member && run.isMember(member) ? bodyOf(run, member) : undefined
  if (body) uncount(run, body, task.pass !== false)
  task.state = TaskState.withdrawn
  run.changes.tasks.add(task)
  await run.settle()
}

/** The token of all repetitions that a withdrawn one belongs to: as it was, or as it has been begun anew. */
function bodyOf(run: Run, member: Token): Token | undefined {
  const parent = run.token(member.parent as string)
  if (parent.state !== TokenState.over) return parent
  return run.openIn(parent.parent).find(one => one.node === member.node && one.state === TokenState.waiting)
}

/** One repetition has not been done after all. */
function uncount(run: Run, { loc, ...rest }: Token, wasPassed: boolean): void {
  const body = run.token(rest.id)
  const name = wasPassed ? 'nrOfPassed' : 'nrOfRejected'
  const { loop } = run.nodeOf(body)
  loc.nrOfCompletedInstances = Number(loc.nrOfCompletedInstances) - 1
  loc[name] = Number(loc[name]) - 1
  loc.nrOfActiveInstances = loop?.sequential ? 1 : Number(loc.nrOfInstances) - Number(loc.nrOfCompletedInstances)
  run.changes.tokens.add(body)
}

/** Whether a decision can be taken back: nothing was done since by anybody, and nothing of it left the house. */
export function canTakeBack(run: Run, task: Task): boolean {
  if (task.state !== TaskState.done || task.isFinal || task.parentTask !== null) return false
  const own = run.state.tokens.get(task.token)
  if (!own || own.endedBy !== task.id) return false
  for (let at = own.parent; at !== null; at = run.token(at).parent) {
    const { state, endedBy: by } = run.token(at)
    if (state === TokenState.over && by !== task.id) return false
  }
  const made = [...run.state.tokens.values()].filter(one => one.madeBy === task.id)
  const untouched = (one: Task) => isOpen(one) && one.claimTime === null && one.state !== TaskState.delegated
  return made.every(
    one =>
      one.state !== TokenState.over &&
      run.tasksOf(one.id).every(made => untouched(made) && made.parentTask === null) &&
      run.openIn(one.id).every(inner => inner.madeBy === task.id),
  )
}

/** How others are asked to sign, too. */
export interface Sign {
  readonly kind: SignKind
  readonly users: readonly string[]
  /** Opinion of who asks, where the others come after; they have decided then. */
  readonly own: Decided | null
}

/**
 * Asks others to sign, too: before whoever asks, after them, or as further ones of those who decide together.
 * @throws FlowProblem where it cannot be
 */
export async function addSigns(run: Run, task: Task, { kind, users, own }: Sign): Promise<void> {
  const token = run.token(task.token)
  if (run.tasksOf(token.id).filter(isOpen).length + users.length > limits.members)
    throw new FlowProblem(`加签不能超过${limits.members}人`)
  if (kind === 'parallel') return addMembers(run, token, users)
  for (const user of users)
    run.addTask({
      ...emptyTask(run),
      id: run.newTaskId(),
      token: token.id,
      node: task.node,
      name: task.name,
      formKey: task.formKey,
      assignee: user,
      parentTask: task.id,
      signKind: kind,
    })
  if (kind === 'before') {
    task.state = TaskState.consulting
    run.changes.tasks.add(task)
  } else if (own) await completeTask(run, task, own)
}

async function addMembers(run: Run, token: Token, users: readonly string[]): Promise<void> {
  const node = run.nodeOf(token)
  const { loop } = node
  if (!loop || loop.sequential || !run.isMember(token) || node.type !== 'userTask')
    throw new FlowProblem('只有并行会签可以并加签')
  const body = run.token(token.parent as string)
  const total = Number(body.loc.nrOfInstances)
  if (total + users.length > limits.members) throw new FlowProblem(`会签不能超过${limits.members}人`)
  body.loc.nrOfInstances = total + users.length
  body.loc.nrOfActiveInstances = Number(body.loc.nrOfActiveInstances) + users.length
  run.changes.tokens.add(body)
  for (const [at, user] of users.entries()) {
    const member = run.add(body.id, node.id, null, memberLoc(loop, total + at, user))
    member.state = TokenState.waiting
    run.addTask({
      ...emptyTask(run),
      id: run.newTaskId(),
      token: member.id,
      node: node.id,
      name: node.name || node.id,
      formKey: node.form?.key ?? null,
      assignee: user,
      parentTask: run.tasksOf(token.id).find(one => one.parentTask === null || one.signKind === 'parallel')?.id ?? null,
      signKind: 'parallel',
    })
  }
  await run.settle()
}

const memberLoc = ({ elementVariable, indexVariable }: Loop, index: number, user: Value): Stored => ({
  loopCounter: index,
  ...(elementVariable && { [elementVariable]: user }),
  ...(indexVariable && { [indexVariable]: index }),
})

/**
 * Takes back that somebody was asked to sign, too.
 * @param task theirs, which is open
 */
export async function removeSign(run: Run, task: Task): Promise<void> {
  const token = run.token(task.token)
  for (const one of run.tasksOf(token.id))
    if (one.parentTask === task.id && isOpen(one)) await run.closeTask(one, TaskState.cancelled)
  await run.closeTask(task, TaskState.cancelled)
  if (task.signKind === 'before') reopenParent(run, task)
  if (task.signKind === 'parallel') {
    await run.dropMember(token)
    return run.settle()
  }
  await afterTask(run, token)
  await run.settle()
}

/** What another process that was called has come to. */
export type ChildEnd =
  | { readonly variables: Variables }
  | { readonly error: string }
  /** Somebody has ended it. */
  | { readonly stopped: string }

/** A process that was called is over. @throws FlowProblem when the run cannot go on */
export async function childEnded(run: Run, token: Token, end: ChildEnd): Promise<void> {
  const node = run.nodeOf(token)
  if (node.type !== 'callActivity') throw new Error(`The step «${node.id}» calls nothing.`)
  if ('variables' in end) {
    for (const { source, target } of node.outOf)
      run.setVariable(outside(run, token), target, evaluate(source, end.variables))
    const { pass } = end.variables
    if (typeof pass === 'boolean') run.setPass(run.isMember(token) ? token.id : token.parent, pass)
    await run.done(token)
  } else {
    const code = 'error' in end ? end.error : 'stopped'
    await run.raise(token, new FlowError(code, 'error' in end ? end.error : end.stopped))
  }
  await run.settle()
}

const outside = (run: Run, token: Token): Token | null => (token.parent === null ? null : run.token(token.parent))

/** An action has answered. */
export async function answered(
  run: Run,
  token: Token,
  answer: { readonly result: Value | undefined } | { readonly error: FlowError },
): Promise<void> {
  const node = run.nodeOf(token)
  if (node.type !== 'serviceTask' && node.type !== 'sendTask') throw new Error(`The step «${node.id}» does nothing.`)
  if ('error' in answer) await run.raise(token, answer.error)
  else {
    run.take(token, node.action, answer.result)
    await run.done(token)
  }
  await run.settle()
}

/** A timer has gone off. @throws FlowProblem when the run cannot go on */
export async function timerFired(run: Run, token: Token, event: string): Promise<void> {
  await run.fire(token, stepOf(run.graph, event))
  await run.settle()
}

/** What a receive task waits for has come. */
export async function received(run: Run, token: Token): Promise<void> {
  await run.done(token)
  await run.settle()
}
