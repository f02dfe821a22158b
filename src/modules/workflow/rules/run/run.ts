import { FlowPass, FlowRun } from '#schemas/dictionaries/platform'
import { evaluate, holds } from '../expression.ts'
import type { ActionCall, FlowNode, Graph, Line, Listener, Loop, NodeType, Timer } from '../flow-graph.ts'
import { FlowProblem } from '../problem.ts'
import { fillTemplate, type Template } from '../template.ts'
import { isList, textOf, type Value, type Variables } from '../value.ts'
import { type Env, FlowError, type UserTask } from './env.ts'
import { limits } from './limits.ts'
import {
  type Changes,
  isOpen,
  type RunState,
  type Stored,
  type Task,
  TaskState,
  type Token,
  TokenState,
} from './state.ts'
import { readDue, scheduleOf } from './timer.ts'
import { heedsDecision, incomingOf, stepOf } from './ways.ts'

const joins = new Set<NodeType>(['parallelGateway', 'inclusiveGateway'])

/** Text that begins the reason of a run that an error has ended. */
const errorReason = (code: string) => `流程错误：${code}`.slice(0, 500)

/**
 * A run in memory while it moves. It is given what lies in the tables and says what has changed; nothing of it outlives the move.
 * What it throws as a FlowProblem means that the move cannot be made, and nothing of it is to be kept.
 */
export class Run {
  readonly changes: Changes = {
    tokens: new Set(),
    tasks: new Set(),
    entries: [],
    over: [],
    closed: [],
    timers: [],
    calls: [],
    children: [],
  }
  readonly #queue: Token[] = []
  #steps = 0
  #made = 0

  constructor(
    readonly graph: Graph,
    readonly state: RunState,
    private readonly env: Env,
    /** Task whose decision moves the run; null for anything else. */
    private readonly cause: Task | null = null,
  ) {}

  /** The moment of the move. */
  get now(): Date {
    return this.env.now
  }

  // Tokens ----------------------------------------------------------------------------------------------------------------

  token(id: string): Token {
    const found = this.state.tokens.get(id)
    if (!found) throw new Error(`The run has no token ${id}.`)
    return found
  }

  nodeOf({ node }: Pick<Token, 'node'>): FlowNode {
    return stepOf(this.graph, node)
  }

  openIn(parent: string | null): Token[] {
    return [...this.state.tokens.values()].filter(one => one.parent === parent && one.state !== TokenState.over)
  }

  /** Repetitions of a step are inside of a token that stands at the same step. */
  isMember({ parent, node }: Token): boolean {
    return parent !== null && this.token(parent).node === node
  }

  add(parent: string | null, node: string, via: string | null, loc: Stored = {}): Token {
    const token: Token = {
      id: `+${++this.#made}`,
      parent,
      node,
      via,
      state: TokenState.active,
      loc,
      madeBy: this.cause?.id ?? null,
      endedBy: null,
    }
    this.state.tokens.set(token.id, token)
    this.changes.tokens.add(token)
    return token
  }

  /** A token that goes on from its step. */
  send(token: Token): void {
    this.#queue.push(token)
  }

  #end(token: Token): void {
    token.state = TokenState.over
    token.endedBy = this.cause?.id ?? null
    this.changes.tokens.add(token)
    this.changes.over.push(token)
  }

  #wait(token: Token): void {
    token.state = TokenState.waiting
  }

  /** Ends a token from which something else goes on. */
  endToken(token: Token): void {
    this.#end(token)
  }

  /** One of those who decide together is not asked any more. */
  async dropMember(member: Token): Promise<void> {
    const body = this.token(member.parent as string)
    const node = this.nodeOf(member)
    body.loc.nrOfInstances = Number(body.loc.nrOfInstances) - 1
    body.loc.nrOfActiveInstances = Number(body.loc.nrOfActiveInstances) - 1
    this.changes.tokens.add(body)
    this.#end(member)
    const isEnough = node.loop?.done ? holds(node.loop.done, this.viewOf(body)) : false
    if (isEnough || body.loc.nrOfCompletedInstances === body.loc.nrOfInstances) await this.#allDone(body, node)
  }

  /** Ends a token with all that is inside of it; open tasks are over without having been done. */
  async kill(token: Token): Promise<void> {
    if (token.state === TokenState.over) return
    for (const inner of this.openIn(token.id)) await this.kill(inner)
    for (const task of this.tasksOf(token.id)) if (isOpen(task)) await this.closeTask(task, TaskState.cancelled)
    this.#end(token)
  }

  // Variables -------------------------------------------------------------------------------------------------------------

  /** What expressions at a token, or inside of it, read. */
  viewOf(token: Token | null): Variables {
    const chain: Stored[] = []
    for (let at: Token | null = token; at; at = at.parent === null ? null : this.token(at.parent)) chain.unshift(at.loc)
    const all = Object.assign({}, this.state.variables, this.state.facts, ...chain) as Stored
    return Object.fromEntries(Object.entries(all).filter(([name]) => !name.startsWith('$')))
  }

  /** Sets a variable where one of its name is, else for the whole run. @throws FlowProblem for a fact */
  setVariable(token: Token | null, name: string, value: Value): void {
    for (let at: Token | null = token; at; at = at.parent === null ? null : this.token(at.parent))
      if (Object.hasOwn(at.loc, name)) {
        at.loc[name] = value
        this.changes.tokens.add(at)
        return
      }
    if (Object.hasOwn(this.state.facts, name)) throw new FlowProblem(`变量${name}不能修改`)
    this.state.variables[name] = value
  }

  /** Notes how it was decided where what comes next reads it: in the innermost scope. */
  setPass(scope: string | null, pass: boolean): void {
    if (scope === null) {
      this.state.variables.pass = pass
      return
    }
    const token = this.token(scope)
    token.loc.pass = pass
    this.changes.tokens.add(token)
  }

  // Tasks -----------------------------------------------------------------------------------------------------------------

  tasksOf(token: string): Task[] {
    return [...this.state.tasks.values()].filter(one => one.token === token)
  }

  addTask(task: Task): Task {
    this.state.tasks.set(task.id, task)
    this.changes.tasks.add(task)
    this.changes.entries.push({
      token: task.token,
      task: task.id,
      node: task.node,
      type: 'userTask',
      name: task.name,
      assignee: null,
      isOver: false,
    })
    return task
  }

  newTaskId(): string {
    return `+${++this.#made}`
  }

  async closeTask(task: Task, state: TaskState): Promise<void> {
    task.state = state
    task.endTime = this.env.now
    task.endedBy = this.cause?.id ?? null
    this.changes.tasks.add(task)
    this.changes.closed.push(task)
    if (state === TaskState.done) return
    await this.listen(this.nodeOf(task).listeners, 'delete', this.token(task.token), task)
  }

  async #makeTask(token: Token, node: UserTask): Promise<void> {
    const variables = this.viewOf(token)
    const doers = await this.env.doersOf(node, variables)
    const priority = node.priority ? Number(evaluate(node.priority, variables)) : 50
    const due = node.due ? fillTemplate(node.due, variables).trim() : ''
    const task = this.addTask({
      id: this.newTaskId(),
      token: token.id,
      node: node.id,
      name: node.name || node.id,
      ...doers,
      formKey: node.form?.key ?? null,
      priority: Number.isInteger(priority) && priority >= 0 && priority <= 100 ? priority : 50,
      dueTime: due === '' ? null : readDue(due, this.env.now),
      state: doers.assignee === null ? TaskState.claimable : TaskState.open,
      pass: null,
      comment: null,
      parentTask: null,
      signKind: null,
      createTime: this.env.now,
      claimTime: null,
      endTime: null,
      endedBy: null,
      isFinal: false,
    })
    await this.listen(node.listeners, 'create', token, task)
    await this.assigned(task)
  }

  /** A task has somebody to do it from now on, whom it did not have before. */
  async assigned(task: Task): Promise<void> {
    this.changes.tasks.add(task)
    if (task.assignee !== null)
      await this.listen(this.nodeOf(task).listeners, 'assignment', this.token(task.token), task)
  }

  // History ---------------------------------------------------------------------------------------------------------------

  #note(token: Token, { id, type, name }: FlowNode, isOver: boolean): void {
    const assignee = id === this.graph.start ? this.state.starter : null
    this.changes.entries.push({ token: token.id, task: null, node: id, type, name, assignee, isOver })
  }

  #noteLine(token: Token, { id, name }: Line): void {
    this.changes.entries.push({
      token: token.id,
      task: null,
      node: id,
      type: 'sequenceFlow',
      name,
      assignee: null,
      isOver: true,
    })
  }

  // Actions ---------------------------------------------------------------------------------------------------------------

  async listen(
    listeners: readonly Listener[] | undefined,
    event: Listener['event'],
    token: Token,
    task?: Task,
  ): Promise<void> {
    for (const one of listeners ?? [])
      if (one.event === event) await this.#do(one.action, token, { task, waits: false })
  }

  /** @returns whether the token has to wait for the answer of the action */
  async #do(
    action: ActionCall,
    token: Token,
    { task, waits }: { task?: Task | undefined; waits: boolean },
  ): Promise<boolean> {
    const variables = this.viewOf(token)
    const fields = this.env.fieldsOf(action, variables)
    if (this.cause) this.cause.isFinal = true
    if (this.env.kindOf(action.name) === 'after') {
      const { length: nth } = this.changes.calls
      this.changes.calls.push({ token: token.id, node: token.node, action: action.name, fields, waits, nth })
      return true
    }
    const place = { node: this.nodeOf(token), variables, task: task?.id ?? null }
    const result = await this.env.act(action.name, fields, place)
    this.take(token, action, result)
    return false
  }

  /** Keeps the result of an action in its variable. */
  take(token: Token, { resultVariable }: ActionCall, result: Value | undefined): void {
    if (resultVariable && result !== undefined) this.setVariable(token, resultVariable, result)
  }

  // Moving ----------------------------------------------------------------------------------------------------------------

  /** Begins the run. */
  async begin(): Promise<void> {
    const token = this.add(null, this.graph.start, null)
    await this.listen(this.graph.listeners, 'start', token)
    this.send(token)
    await this.settle()
  }

  /** Lets tokens go on until all of them wait. @throws FlowProblem when that cannot be */
  async settle(): Promise<void> {
    do {
      for (let token = this.#queue.shift(); token; token = this.#queue.shift())
        if (token.state === TokenState.active) await this.#caught(token, () => this.#enter(token as Token))
    } while (await this.#joinInclusive())
    this.#requireOpenWay()
    const open = [...this.state.tokens.values()].filter(one => one.state !== TokenState.over)
    if (open.length > limits.tokens) throw new FlowProblem(`流程同时进行的步骤不能超过${limits.tokens}个`)
    const held = [this.state.facts, this.state.variables, ...open.map(({ loc }) => loc)]
    if (JSON.stringify(held).length > limits.variables) throw new FlowProblem('流程变量过大')
  }

  async #caught(token: Token, work: () => Promise<void>): Promise<void> {
    try {
      await work()
    } catch (error) {
      if (!(error instanceof FlowError)) throw error
      await this.raise(token, error)
    }
  }

  /** Brings an error to the innermost border that catches it. @throws FlowProblem where none does and nobody is to be told */
  async raise(token: Token, error: FlowError): Promise<void> {
    for (let at: Token | null = token; at; at = at.parent === null ? null : this.token(at.parent)) {
      if (this.isMember(at)) continue
      const border = this.nodeOf(at)
        .boundary.map(id => stepOf(this.graph, id))
        .filter(one => one.type === 'boundaryEvent' && 'errorCode' in one)
      const code = (one: FlowNode) => ('errorCode' in one ? one.errorCode : '')
      const catcher = border.find(one => code(one) === error.code) ?? border.find(one => code(one) === '')
      if (!catcher) continue
      await this.kill(at)
      this.send(this.add(at.parent, catcher.id, null))
      return
    }
    this.state.errorCode = error.code
    throw error
  }

  /** Ends the whole run. */
  async finish(
    status: typeof FlowRun.finished | typeof FlowRun.terminated,
    reason: string | null = null,
  ): Promise<void> {
    for (const one of this.openIn(null)) await this.kill(one)
    this.state.status = status
    this.state.endReason = reason
    if (this.cause) this.cause.isFinal = true
  }

  /** Ends the run with an error that nothing catches. */
  fail(error: FlowError): Promise<void> {
    this.state.errorCode = error.code
    return this.finish(FlowRun.terminated, errorReason(error.message || error.code))
  }

  async #enter(token: Token): Promise<void> {
    if (++this.#steps > limits.steps) throw new FlowProblem('流程循环过多')
    const node = this.nodeOf(token)
    if (node.loop) await this.#repeat(token, node, node.loop)
    else {
      await this.#begin(token, node)
      this.#watch(token, node)
    }
  }

  /** Timers at the border of a step that waits. */
  #watch(token: Token, node: FlowNode): void {
    if (token.state !== TokenState.waiting) return
    for (const id of node.boundary) {
      const event = stepOf(this.graph, id)
      if (event.type === 'boundaryEvent' && 'timer' in event) this.#set(token, event)
    }
  }

  #set(token: Token, event: Extract<FlowNode, { timer: unknown }>): void {
    const [kind, template] = timing(event.timer)
    const text = fillTemplate(template, this.viewOf(token))
    this.changes.timers.push({ token: token.id, node: event.id, ...scheduleOf(kind, text, this.env.now) })
  }

  async #begin(token: Token, node: FlowNode): Promise<void> {
    if (joins.has(node.type)) return this.#arrive(token, node)
    await this.listen(node.listeners, 'start', token)
    switch (node.type) {
      case 'userTask':
        this.#wait(token)
        return this.#makeTask(token, node)
      case 'receiveTask':
        this.#note(token, node, false)
        return this.#wait(token)
      case 'intermediateCatchEvent':
        this.#note(token, node, false)
        this.#wait(token)
        return this.#set(token, node)
      case 'subProcess':
        this.#note(token, node, false)
        this.#wait(token)
        return this.send(this.add(token.id, node.start, null))
      case 'callActivity':
        this.#note(token, node, false)
        this.#wait(token)
        return this.#call(token, node)
      case 'serviceTask':
      case 'sendTask': {
        const waits = await this.#do(node.action, token, { waits: true })
        this.#note(token, node, !waits)
        return waits ? this.#wait(token) : this.done(token)
      }
      case 'endEvent':
        this.#note(token, node, true)
        await this.listen(node.listeners, 'end', token)
        return this.#reachEnd(token, node)
      default:
        this.#note(token, node, true)
        return this.done(token)
    }
  }

  async #reachEnd(token: Token, node: Extract<FlowNode, { type: 'endEvent' }>): Promise<void> {
    if (node.how === 'error') throw new FlowError(node.errorCode, node.name || node.errorCode)
    const others = node.how === 'terminate' ? this.openIn(token.parent).filter(one => one !== token) : []
    for (const one of others) await this.kill(one)
    this.#end(token)
    await this.#closeScope(token)
  }

  /** What is inside of something has ended: if it was the last of it, so has the whole. */
  async #closeScope({ parent }: Token): Promise<void> {
    if (this.openIn(parent).length > 0) return
    if (parent === null) {
      this.state.passState = this.state.variables.pass === false ? FlowPass.refused : FlowPass.agreed
      return this.finish(FlowRun.finished)
    }
    const scope = this.token(parent)
    const { pass } = scope.loc
    if (typeof pass === 'boolean' && !this.isMember(scope)) this.setPass(scope.parent, pass)
    await this.done(scope)
  }

  /** A step is done, and the token goes on from it. */
  async done(token: Token): Promise<void> {
    const node = this.nodeOf(token)
    await this.listen(node.listeners, 'end', token)
    if (this.isMember(token)) await this.#memberDone(token, node)
    else await this.leave(token, node)
  }

  /**
   * Goes on from a step by all ways that are open.
   * @throws FlowProblem when none is
   */
  async leave(token: Token, node: FlowNode): Promise<void> {
    const view = this.viewOf(token.parent === null ? null : this.token(token.parent))
    const ways = openWays(node, view)
    this.#end(token)
    for (const line of ways) {
      this.#noteLine(token, line)
      await this.listen(line.listeners, 'take', token)
      this.send(this.add(token.parent, line.to, line.id))
    }
    if (ways.length === 0) await this.#closeScope(token)
  }

  // Gateways --------------------------------------------------------------------------------------------------------------

  async #arrive(token: Token, node: FlowNode): Promise<void> {
    const lines = incomingOf(this.graph, node.id)
    if (lines.length > 1) {
      token.state = TokenState.joining
      if (node.type === 'inclusiveGateway') return
      const here = this.#joining(token)
      const one = lines.map(({ id }) => here.find(({ via }) => via === id))
      if (one.includes(undefined)) return
      return this.#pass(node, one as Token[])
    }
    await this.#pass(node, [token])
  }

  #joining({ parent, node }: Token): Token[] {
    return this.openIn(parent).filter(one => one.node === node && one.state === TokenState.joining)
  }

  /** Several tokens become one at a gateway, which goes on. */
  async #pass(node: FlowNode, arrived: readonly Token[]): Promise<void> {
    const [first, ...others] = arrived as [Token, ...Token[]]
    for (const one of others) this.#end(one)
    await this.listen(node.listeners, 'start', first)
    this.#note(first, node, true)
    await this.done(first)
  }

  /** Inclusive gateways go on when nobody else can come any more, which is known when all others wait. */
  async #joinInclusive(): Promise<boolean> {
    const waiting = [...this.state.tokens.values()].filter(one => one.state === TokenState.joining)
    for (const token of waiting) {
      const node = this.nodeOf(token)
      if (node.type !== 'inclusiveGateway') continue
      const scope = this.openIn(token.parent)
      const canStillCome = scope.some(one => one.node !== node.id && node.reachedFrom.includes(one.node))
      // Where all wait at such gateways for each other, the first one goes on.
      const isStuck = scope.every(one => one.state === TokenState.joining && this.nodeOf(one).type === node.type)
      if (canStillCome && !isStuck) continue
      await this.#pass(node, this.#joining(token))
      return true
    }
    return false
  }

  /** Gateways that wait for what will never come would keep a run for ever. */
  #requireOpenWay(): void {
    const joining = [...this.state.tokens.values()].filter(one => one.state === TokenState.joining)
    const stuck = joining.find(one => this.openIn(one.parent).every(other => other.state === TokenState.joining))
    if (!stuck) return
    const { name, id } = this.nodeOf(stuck)
    throw new FlowProblem(`${name || id}等待的分支不会再来`)
  }

  // Repetitions -----------------------------------------------------------------------------------------------------------

  async #repeat(token: Token, node: FlowNode, loop: Loop): Promise<void> {
    const items = this.#items(token, node, loop)
    this.#wait(token)
    if (items.length === 0) {
      this.setPass(token.parent, true)
      this.#note(token, node, true)
      return this.leave(token, node)
    }
    Object.assign(token.loc, {
      nrOfInstances: items.length,
      nrOfActiveInstances: loop.sequential ? 1 : items.length,
      nrOfCompletedInstances: 0,
      nrOfPassed: 0,
      nrOfRejected: 0,
      ...(loop.sequential && { $items: items }),
    } satisfies Stored)
    this.#watch(token, node)
    const first = loop.sequential ? items.slice(0, 1) : items
    for (const [index, item] of first.entries()) {
      if (token.state === TokenState.over) return
      await this.startMember(token, node, loop, index, item)
    }
  }

  #items(token: Token, node: FlowNode, { collection, cardinality }: Loop): readonly Value[] {
    const name = node.name || node.id
    const view = this.viewOf(token)
    const wanted = collection ? evaluate(collection, view) : cardinality ? evaluate(cardinality, view) : 0
    const many = (n: number) => {
      if (n > limits.members) throw new FlowProblem(`${name}的会签不能超过${limits.members}人`)
    }
    if (collection) {
      // People chosen in the model stand there as a text of their ids.
      const members = 'value' in collection && typeof wanted === 'string' ? wanted.split(',') : wanted
      if (!isList(members)) throw new FlowProblem(`${name}的会签名单不是列表`)
      many(members.length)
      return members
    }
    const n = Number(textOf(wanted))
    if (!Number.isInteger(n) || n < 0) throw new FlowProblem(`${name}的会签人数不正确`)
    many(n)
    return Array.from({ length: n }, (_, index) => index)
  }

  /** Begins one repetition of a step. */
  async startMember(body: Token, node: FlowNode, loop: Loop, index: number, item: Value): Promise<Token> {
    if (++this.#steps > limits.steps) throw new FlowProblem('流程循环过多')
    const member = this.add(body.id, node.id, null, {
      loopCounter: index,
      ...(loop.elementVariable && loop.collection && { [loop.elementVariable]: item }),
      ...(loop.indexVariable && { [loop.indexVariable]: index }),
    })
    await this.#caught(member, () => this.#begin(member, node))
    return member
  }

  async #memberDone(member: Token, node: FlowNode): Promise<void> {
    const body = this.token(member.parent as string)
    const { loc } = body
    const loop = node.loop as Loop
    const isPassed = member.loc.pass !== false
    const completed = Number(loc.nrOfCompletedInstances) + 1
    const total = Number(loc.nrOfInstances)
    loc.nrOfCompletedInstances = completed
    loc.nrOfActiveInstances = loop.sequential ? Number(completed < total) : total - completed
    loc[isPassed ? 'nrOfPassed' : 'nrOfRejected'] = Number(loc[isPassed ? 'nrOfPassed' : 'nrOfRejected']) + 1
    this.changes.tokens.add(body)
    const isEnough = loop.done ? holds(loop.done, this.viewOf(member)) : false
    this.#end(member)
    if (!isEnough && completed < total) {
      if (!loop.sequential) return
      const items = loc.$items as readonly Value[]
      await this.startMember(body, node, loop, completed, items[completed] ?? null)
      return
    }
    await this.#allDone(body, node)
  }

  /** Enough of the repetitions are done; the others are not needed. */
  async #allDone(body: Token, node: FlowNode): Promise<void> {
    for (const one of this.openIn(body.id)) await this.kill(one)
    const pass = Number(body.loc.nrOfRejected) === 0
    this.setPass(body.parent, pass)
    await this.#decided(body, node, pass)
  }

  /** Goes on from a step that people have decided on; a refusal that the model does not heed ends the run. */
  async #decided(token: Token, node: FlowNode, pass: boolean): Promise<void> {
    if (node.type !== 'userTask' || pass || heedsDecision(this.graph, node.id)) return this.leave(token, node)
    this.state.passState = FlowPass.refused
    await this.finish(FlowRun.terminated, '审批不通过')
  }

  // Calls -----------------------------------------------------------------------------------------------------------------

  #call(token: Token, node: Extract<FlowNode, { type: 'callActivity' }>): void {
    if (this.cause) this.cause.isFinal = true
    const view = this.viewOf(token)
    const key = fillTemplate(node.called, view).trim()
    const given = node.into.map(({ source, target }) => [target, evaluate(source, view)] as const)
    const inherited = node.inherit ? Object.entries(view).filter(([name]) => !ownNames.has(name)) : []
    this.changes.children.push({
      token: token.id,
      node: node.id,
      key,
      variables: Object.fromEntries([...inherited, ...given]),
      businessKey: node.businessKey ? textOf(evaluate(node.businessKey, view)) : null,
    })
  }

  /** The people of a step have decided: all who were asked to, or the one whose task it is. */
  async decide(token: Token, pass: boolean): Promise<void> {
    const node = this.nodeOf(token)
    this.setPass(this.isMember(token) ? token.id : token.parent, pass)
    await this.listen(node.listeners, 'end', token)
    if (this.isMember(token)) await this.#memberDone(token, node)
    else await this.#decided(token, node, pass)
  }

  /** A timer has gone off. */
  async fire(token: Token, event: FlowNode): Promise<void> {
    if (event.type === 'intermediateCatchEvent') return this.done(token)
    if (event.type !== 'boundaryEvent') throw new Error(`The step «${event.id}» is no timer.`)
    if (event.interrupting) await this.kill(token)
    this.send(this.add(token.parent, event.id, null))
  }

  /** Sets the timers at a step anew, and begins anew what waits there for no person. */
  async resume(token: Token): Promise<void> {
    const node = this.nodeOf(token)
    const isBody = this.openIn(token.id).some(one => one.node === token.node)
    if (token.state === TokenState.active) await this.#caught(token, () => this.#begin(token, node))
    if (isBody || !this.isMember(token)) this.#watch(token, node)
  }
}

/** How a timer is meant, with its text. */
function timing(timer: Timer): ['duration' | 'date' | 'cycle', Template] {
  if ('duration' in timer) return ['duration', timer.duration]
  return 'date' in timer ? ['date', timer.date] : ['cycle', timer.cycle]
}

/** Variables that every process has of its own. */
const ownNames = new Set(['pass', 'initiator', 'applicant', 'loopCounter'])

/**
 * Ways on from a step.
 * @throws FlowProblem when it has some and none is open
 */
function openWays({ type, id, name, out, defaultLine }: FlowNode, view: Variables): readonly Line[] {
  if (type === 'parallelGateway') return out
  const isOpenWay = (line: Line) => line.id !== defaultLine && (!line.when || holds(line.when, view))
  const isOne = type === 'exclusiveGateway'
  const found: Line[] = []
  // Conditions behind the first one that holds are not asked: a variable they read may be missing.
  for (const line of out) if (!(isOne && found.length > 0) && isOpenWay(line)) found.push(line)
  const taken = found.length > 0 ? found : out.filter(line => line.id === defaultLine)
  if (taken.length === 0 && out.length > 0) throw new FlowProblem(`${name || id}没有可走的分支`)
  return taken
}
