import type { FastifyInstance } from 'fastify'
import type { Live } from '../../../platform/database/live.ts'
import type { ActionCall, FlowNode } from '../rules/flow-graph.ts'
import type { Value, Variables } from '../rules/value.ts'

/** What of the server runs and actions need. */
export type FlowServer = FastifyInstance

/** Where and for whom an action runs. */
export interface ActionContext {
  readonly server: FlowServer
  /** Live handle of the run's tenant: the transaction of the move for actions inside of it. */
  readonly db: Live
  readonly tenantId: string
  readonly now: Date
  /** Who moves the run; null for a time or an answer. */
  readonly userId: string | null
  readonly run: {
    readonly id: string
    readonly title: string
    readonly starter: string
    readonly businessTable: string
    readonly businessId: string
  }
  readonly node: FlowNode
  /** Task at whose event it runs. */
  readonly task: string | null
  /** All that expressions can read; of an action after the move nothing. */
  readonly variables: Variables
  /** Names one doing of an action after the move, however often it is tried; null inside of it. */
  readonly key: string | null
  /** Aborted when work after the move must stop. */
  readonly signal?: AbortSignal
}

/** A parameter of an action. */
export interface ActionField {
  readonly name: string
  readonly title: string
  readonly required?: boolean
  /** True where it is one or several people: their ids with commas, or an expression. */
  readonly isPeople?: boolean
}

/** Something a model may have done at a step. */
export interface FlowAction {
  /** As models call it. */
  readonly name: string
  readonly title: string
  readonly fields: readonly ActionField[]
  /** The field that names the variable which takes the result. */
  readonly resultIn?: string
  /** `inside` is part of the move and done exactly once; `after` follows it, and is done at least once. */
  readonly when: 'inside' | 'after'
  /** Fills in its fields; without it each becomes its value. */
  fill?(call: ActionCall, variables: Variables): Readonly<Record<string, Value>>
  /**
   * @returns its result, for the variable the model names
   * @throws FlowError for an error that the model may catch, FlowProblem or a refusal to refuse the move
   */
  run(context: ActionContext, fields: Readonly<Record<string, Value>>): Promise<Value | undefined>
}

/** Who moves a run, and when. */
export interface Mover {
  readonly tenantId: string
  /** Null for a time, an answer, or another process. */
  readonly userId: string | null
  readonly now: Date
}
