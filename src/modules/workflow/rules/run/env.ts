import type { ActionCall, FlowNode } from '../flow-graph.ts'
import type { Value, Variables } from '../value.ts'

/** Who a task is for. */
export interface TaskDoers {
  readonly assignee: string | null
  readonly owner: string | null
  readonly candidateUsers: readonly string[]
  /** `alias`, `dept:id`, `post:code`. */
  readonly candidateGroups: readonly string[]
}

/** A step at which somebody has to do something. */
export type UserTask = Extract<FlowNode, { type: 'userTask' }>

/** Where an action runs. */
export interface ActionPlace {
  readonly node: FlowNode
  readonly variables: Variables
  /** Task at whose event it runs. */
  readonly task: string | null
}

/** What a run needs of the world. Nothing of it may be done that the transaction of the move would not undo. */
export interface Env {
  readonly now: Date
  /**
   * Finds who does a task.
   * @throws FlowProblem when nobody does
   */
  doersOf(node: UserTask, variables: Variables): Promise<TaskDoers>
  /** Whether an action is part of the move or is done after it. @throws FlowProblem for one that is not there */
  kindOf(action: string): 'inside' | 'after'
  /** What an action is given: its fields filled in. @throws FlowProblem */
  fieldsOf(call: ActionCall, variables: Variables): Readonly<Record<string, Value>>
  /**
   * Does an action that is part of the move.
   * @returns its result; undefined for none
   * @throws FlowError for an error that a boundary event may catch, FlowProblem to refuse the move
   */
  act(action: string, fields: Readonly<Record<string, Value>>, place: ActionPlace): Promise<Value | undefined>
}

/** An error of a process, as an error end or an action makes it: a boundary event may catch it. */
export class FlowError extends Error {
  constructor(
    /** What boundary events go by. */
    readonly code: string,
    message: string,
    /** Whether another try would meet it again. */
    readonly isFinal = false,
  ) {
    super(message)
  }
}
