import { readExpression } from '../../src/modules/workflow/rules/expression.ts'
import type { FlowNode, Graph, Kind, Line, Loop } from '../../src/modules/workflow/rules/flow-graph.ts'
import {
  answered,
  backTargets,
  childEnded,
  completeTask,
  type Sign,
  sendBack,
  timerFired,
} from '../../src/modules/workflow/rules/run/acts.ts'
import { type Env, FlowError } from '../../src/modules/workflow/rules/run/env.ts'
import { Run } from '../../src/modules/workflow/rules/run/run.ts'
import {
  type Changes,
  isOpen,
  isPassing,
  type RunState,
  type Stored,
  type Task,
  TaskState,
  type Token,
  TokenState,
} from '../../src/modules/workflow/rules/run/state.ts'
import { readTemplate } from '../../src/modules/workflow/rules/template.ts'
import { textOf, type Value } from '../../src/modules/workflow/rules/value.ts'

type Common = Pick<FlowNode, 'scope' | 'boundary' | 'listeners' | 'name' | 'defaultLine' | 'loop'>
/** A step with what only it has. */
export type Step = Kind & Partial<Common>

const none = { candidateUsers: [], candidateGroups: [] }
const simple: Readonly<Record<string, Step>> = {
  start: { type: 'startEvent' },
  end: { type: 'endEvent', how: 'none' },
  terminate: { type: 'endEvent', how: 'terminate' },
  user: { type: 'userTask', doers: none },
  xor: { type: 'exclusiveGateway' },
  and: { type: 'parallelGateway' },
  or: { type: 'inclusiveGateway', reachedFrom: [] },
  task: { type: 'task' },
  receive: { type: 'receiveTask' },
}

/** `${inside}` as it is kept. */
export const expression = (inside: string) => readExpression(`\${${inside}}`)

/** A step that is repeated for the users of a list. */
export const each = (collection: string, more: Partial<Loop> & { until?: string } = {}): Loop => {
  const { until, ...rest } = more
  return {
    sequential: false,
    collection: expression(collection),
    elementVariable: 'one',
    ...(until && { done: expression(until) }),
    ...rest,
  }
}

/**
 * A process from its steps and lines: `a>b`, `a>b condition`, and `a>b *` for the default one.
 * @param steps by id: a short word, or a step
 */
export function graphOf(steps: Readonly<Record<string, string | Step>>, ...lines: readonly string[]): Graph {
  const read = lines.map(one => /^(\w+)>(\w+)(?: (.+))?$/.exec(one) as unknown as [string, string, string, string?])
  const out = (id: string): Line[] =>
    read
      .filter(([, from]) => from === id)
      .toSorted((one, other) => Number(one[3] === '*') - Number(other[3] === '*'))
      .map(([, from, to, when]) => ({
        id: `${from}-${to}`,
        name: '',
        to,
        ...(when && when !== '*' && { when: expression(when) }),
      }))
  const made = Object.entries(steps).map(([id, given]): [string, FlowNode] => {
    const step = typeof given === 'string' ? (simple[given] as Step) : given
    const boundary = Object.entries(steps).flatMap(([other, one]) =>
      typeof one !== 'string' && one.type === 'boundaryEvent' && one.attachedTo === id ? [other] : [],
    )
    const otherwise = read.find(([, from, , when]) => from === id && when === '*')
    return [
      id,
      {
        id,
        name: id,
        scope: null,
        listeners: [],
        boundary,
        out: out(id),
        ...(otherwise && { defaultLine: `${id}-${otherwise[2]}` }),
        ...step,
      } as FlowNode,
    ]
  })
  const nodes = Object.fromEntries(made)
  for (const node of Object.values(nodes))
    if (node.type === 'inclusiveGateway') Object.assign(node, { reachedFrom: reaching(nodes, node.id) })
  const start = Object.values(nodes).find(({ type, scope }) => type === 'startEvent' && scope === null)
  return { format: 2, start: start?.id ?? '', nodes, initiatorVariables: [], starters: none, listeners: [] }
}

function reaching(nodes: Readonly<Record<string, FlowNode>>, to: string): string[] {
  const found = new Set<string>()
  const leads = (id: string): boolean => {
    const node = nodes[id] as FlowNode
    return [...node.out.map(line => line.to), ...node.boundary].some(next => next === to || found.has(next))
  }
  for (let size = -1; size < found.size; ) {
    size = found.size
    for (const id of Object.keys(nodes)) if (leads(id)) found.add(id)
  }
  return [...found]
}

type Act = (fields: Readonly<Record<string, Value>>) => Value | undefined

/** A run that is moved step by step, and put down between two moves as a server would. */
export class Play {
  state: RunState
  history: string[] = []
  last: Changes | undefined
  now = new Date('2026-06-01T00:00:00Z')
  #made = 0

  constructor(
    readonly graph: Graph,
    facts: Stored = {},
    private readonly actions: Readonly<Record<string, Act | 'after'>> = {},
  ) {
    this.state = {
      starter: '1',
      facts,
      variables: {},
      status: 1,
      passState: null,
      endReason: null,
      errorCode: null,
      tokens: new Map(),
      tasks: new Map(),
    }
  }

  get env(): Env {
    return {
      now: this.now,
      doersOf: async ({ doers, id }, variables) => ({
        assignee: String(
          variables.one ?? (doers.assignee && 'user' in doers.assignee ? doers.assignee.user : `of-${id}`),
        ),
        owner: null,
        candidateUsers: [],
        candidateGroups: [],
      }),
      kindOf: name => (this.actions[name] === 'after' ? 'after' : 'inside'),
      fieldsOf: () => ({}),
      act: async (name, fields) => (this.actions[name] as Act)(fields),
    }
  }

  /** One move, kept only when it is through. */
  async move(work: (run: Run) => Promise<unknown>, cause: Task | null = null): Promise<this> {
    const copy = structuredClone(this.state)
    const own = cause && (copy.tasks.get(cause.id) as Task)
    const run = new Run(this.graph, copy, this.env, own)
    await work(run)
    this.#keep(run)
    return this
  }

  #keep({ state, changes }: Run): void {
    const ids = new Map<string, string>()
    const kept = (id: string | null): string | null => {
      if (id === null || !id.startsWith('+')) return id
      const found = ids.get(id) ?? String(100 + ++this.#made)
      ids.set(id, found)
      return found
    }
    const tokens = [...state.tokens.values()]
      .filter(one => !isPassing(one))
      .map(one => ({
        ...one,
        id: kept(one.id) as string,
        parent: kept(one.parent),
      }))
    const tasks = [...state.tasks.values()].map(one => ({
      ...one,
      id: kept(one.id) as string,
      token: kept(one.token) as string,
      parentTask: kept(one.parentTask),
    }))
    this.state = {
      ...state,
      tokens: new Map(tokens.map((one): [string, Token] => [one.id, one])),
      tasks: new Map(tasks.map((one): [string, Task] => [one.id, one])),
    }
    this.history.push(...changes.entries.map(({ node }) => node))
    const rename = <T extends { token: string }>(one: T): T => ({ ...one, token: kept(one.token) as string })
    this.last = {
      ...changes,
      timers: changes.timers.map(rename),
      calls: changes.calls.map(rename),
      children: changes.children.map(rename),
    }
  }

  start = () => this.move(run => run.begin())

  /** Open tasks, `step:person`, in the order of the alphabet; steps that wait for something else without a person. */
  get open(): string {
    const tasks = [...this.state.tasks.values()].filter(isOpen)
    const others = [...this.state.tokens.values()].filter(
      one =>
        one.state !== TokenState.over &&
        !tasks.some(({ token }) => token === one.id) &&
        ![...this.state.tokens.values()].some(inner => inner.parent === one.id && inner.state !== TokenState.over),
    )
    const named = tasks.map(one => `${one.node}:${one.assignee}`)
    return [...named, ...others.map(one => one.node)].toSorted().join(' ')
  }

  taskAt(node: string, who?: string): Task {
    const found = [...this.state.tasks.values()].find(
      one => isOpen(one) && one.node === node && (who === undefined || one.assignee === who),
    )
    if (!found) throw new Error(`Nothing waits at ${node}; open: ${this.open}`)
    return found
  }

  tokenAt(node: string): Token {
    const found = [...this.state.tokens.values()].find(one => one.state !== TokenState.over && one.node === node)
    if (!found) throw new Error(`No token at ${node}; open: ${this.open}`)
    return found
  }

  decide(at: string, pass = true, variables: Stored = {}): Promise<this> {
    const [node = '', who] = at.split(':')
    const task = this.taskAt(node, who)
    return this.move(
      run => completeTask(run, run.state.tasks.get(task.id) as Task, { pass, comment: '', variables }),
      task,
    )
  }

  fire(token: string, event: string): Promise<this> {
    const { id } = this.tokenAt(token)
    return this.move(run => timerFired(run, run.token(id), event))
  }

  answer(node: string, answer: { result: Value | undefined } | { error: string }): Promise<this> {
    const { id } = this.tokenAt(node)
    const given = 'error' in answer ? { error: new FlowError(answer.error, answer.error) } : answer
    return this.move(run => answered(run, run.token(id), given))
  }

  child(node: string, end: Parameters<typeof childEnded>[2]): Promise<this> {
    const { id } = this.tokenAt(node)
    return this.move(run => childEnded(run, run.token(id), end))
  }

  targets(node: string): string {
    const task = this.taskAt(node)
    const run = new Run(this.graph, this.state, this.env)
    const done = [...this.state.tasks.values()].filter(one => one.state === TaskState.done).map(one => one.node)
    return backTargets(run, task, id => done.includes(id))
      .map(({ id }) => id)
      .toSorted()
      .join(' ')
  }

  back(at: string, target: string, isDirect = false): Promise<this> {
    const [node = '', who] = at.split(':')
    const task = this.taskAt(node, who)
    const done = { target, comment: '', isDirect, doneBy: null }
    return this.move(run => sendBack(run, run.state.tasks.get(task.id) as Task, done), task)
  }

  /** Something about the open task of a step. */
  async task(at: string, work: (run: Run, task: Task) => Promise<unknown>, isCause = false): Promise<this> {
    const [node = '', who] = at.split(':')
    const { id } = this.taskAt(node, who)
    return this.move(run => work(run, run.state.tasks.get(id) as Task), isCause ? this.taskAt(node, who) : null)
  }

  text = (name: string): string => textOf(this.state.variables[name] ?? null)
}

/** How somebody asks others to sign. */
export const sign = (kind: Sign['kind'], ...users: string[]): Sign => ({
  kind,
  users,
  own: kind === 'after' ? { pass: true, comment: '', variables: {} } : null,
})

export const template = readTemplate
