import { type FlowPass, type FlowRun, FlowTaskState } from '#schemas/dictionaries/platform'
import type { Value } from '../value.ts'

/** What a variable is stored as, by name. */
export type Stored = Record<string, Value>

/** Where a token stands. */
export const TokenState = {
  /** It moves: only while a run is being moved. */
  active: 1,
  /** For a person, a time, an answer, or what is inside of it. */
  waiting: 2,
  /** At a gateway, for others. */
  joining: 3,
  over: 9,
} as const
export type TokenState = (typeof TokenState)[keyof typeof TokenState]

/**
 * A place at which a run stands. One that has come to rest does not move any more: whatever goes on from there is a token of
 * its own, so the id of a token names one stay at one step.
 */
export interface Token {
  readonly id: string
  /** Token of what it is inside of: of a sub-process, or of all repetitions of a step. */
  readonly parent: string | null
  readonly node: string
  /** Line by which it came. */
  readonly via: string | null
  state: TokenState
  /** Variables of what is inside of it. Names with `$` are the engine's own. */
  loc: Stored
  /** Task whose decision made it; null for anything else. */
  readonly madeBy: string | null
  /** Task whose decision ended it. */
  endedBy: string | null
}

/** Whether a token only came through while its run was being moved: it is not kept. */
export const isPassing = ({ id, state }: Pick<Token, 'id' | 'state'>): boolean =>
  id.startsWith('+') && state === TokenState.over

/** Where a task stands. */
export const TaskState = FlowTaskState
export type TaskState = (typeof TaskState)[keyof typeof TaskState]

/** Whether a task still has to be done. */
export const isOpen = ({ state }: { readonly state: TaskState }): boolean => state <= TaskState.consulting

/** How somebody was asked to sign, too: before the one who asks, after them, or beside others. */
export type SignKind = 'before' | 'after' | 'parallel'

/** Something a person has to do. */
export interface Task {
  readonly id: string
  readonly token: string
  readonly node: string
  readonly name: string
  assignee: string | null
  owner: string | null
  readonly candidateUsers: readonly string[]
  /** `alias`, `dept:id`, `post:code`. */
  readonly candidateGroups: readonly string[]
  readonly formKey: string | null
  readonly priority: number
  readonly dueTime: Date | null
  state: TaskState
  pass: boolean | null
  comment: string | null
  /** Task whose doer asked for this one. */
  readonly parentTask: string | null
  readonly signKind: SignKind | null
  readonly createTime: Date
  claimTime: Date | null
  endTime: Date | null
  /** Task whose decision ended it, itself or another one. */
  endedBy: string | null
  /** Its decision did something that cannot be taken back: an action ran, or another process began. */
  isFinal: boolean
}

/** Where a whole run stands. */
type RunStatus = (typeof FlowRun)[keyof typeof FlowRun]

/** A run as it lies in the tables. */
export interface RunState {
  readonly starter: string
  /** What it was begun with. Only who began it changes them, when the form comes back. */
  facts: Stored
  variables: Stored
  status: RunStatus
  passState: (typeof FlowPass)[keyof typeof FlowPass] | null
  endReason: string | null
  /** Error code it ended with, for the process that has called it. */
  errorCode: string | null
  readonly tokens: Map<string, Token>
  readonly tasks: Map<string, Task>
}

/** A step or line a run has come to, for its history. */
export interface Entry {
  readonly token: string
  readonly task: string | null
  readonly node: string
  readonly type: string
  readonly name: string
  /** Of the beginning: who began it. */
  readonly assignee: string | null
  readonly isOver: boolean
}

/** A time at which something has to happen to a token. */
export interface TimerWish {
  readonly token: string
  /** Timer event. */
  readonly node: string
  readonly due: Date
  /** Times it goes off after this one, and milliseconds between them. */
  readonly again: { readonly left: number; readonly every: number } | null
}

/** An action to be done after the transaction. */
export interface CallWish {
  readonly token: string
  readonly node: string
  readonly action: string
  readonly fields: Readonly<Record<string, Value>>
  /** Whether the token waits for its answer. */
  readonly waits: boolean
  /** Tells apart several that do not wait, of one token and step. */
  readonly nth: number
}

/** Another process to be begun. */
export interface ChildWish {
  readonly token: string
  readonly node: string
  readonly key: string
  readonly variables: Stored
  readonly businessKey: string | null
}

/** What a move has changed beside tokens, tasks and the run itself, in the order in which it happened. */
export interface Changes {
  readonly tokens: Set<Token>
  readonly tasks: Set<Task>
  readonly entries: Entry[]
  /** Tokens that are over: their open entries end, their timers and calls are cancelled, what they have called ends. */
  readonly over: Token[]
  /** Tasks that are over: their entries end. */
  readonly closed: Task[]
  readonly timers: TimerWish[]
  readonly calls: CallWish[]
  readonly children: ChildWish[]
}
