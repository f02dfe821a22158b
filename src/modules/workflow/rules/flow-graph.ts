import type { Expression } from './expression.ts'
import type { Template } from './template.ts'

/** Version of the stored form of graphs; rows without it are of the first form and are read by `upgradeGraph`. */
export const graphFormat = 2

/** One person a task is for. */
export type PersonRef =
  /** Id of a user. */
  | { readonly user: string }
  /** Account of a user of the tenant. */
  | { readonly account: string }
  /** Who began the process. */
  | { readonly initiator: true }
  /** Value of an expression: a user id or account; among candidates also a list of them or comma-joined text. */
  | { readonly value: Expression }
  /** Head of the department of a person; `initiator: true` where that person is who began the process. */
  | { readonly leaderOf: Expression | { readonly initiator: true } }

/** Several people a task waits for. */
export type GroupRef =
  | { readonly role: string }
  | { readonly dept: string }
  | { readonly post: string }
  /** Value of an expression: `alias`, `role:alias`, `dept:id`, `post:code`, a list of them or comma-joined text. */
  | { readonly value: Expression }

/** Who does a user task. */
export interface Doers {
  readonly assignee?: PersonRef
  readonly owner?: PersonRef
  readonly candidateUsers: readonly PersonRef[]
  readonly candidateGroups: readonly GroupRef[]
}

/** A line to the next step. */
export interface Line {
  readonly id: string
  readonly name: string
  readonly to: string
  /** When it is taken; without it always. */
  readonly when?: Expression
  readonly listeners?: readonly Listener[]
}

/** A field of a form that a model describes by itself (`formProperty`). */
export interface FormField {
  readonly id: string
  readonly name: string
  readonly type: 'string' | 'long' | 'double' | 'boolean' | 'date' | 'enum'
  readonly required: boolean
  readonly readable: boolean
  readonly writable: boolean
  readonly default?: string
  /** Of `enum`. */
  readonly values?: readonly { readonly id: string; readonly name: string }[]
}

/** What is filled in at a step. */
export interface Form {
  /** Name of an entity registered as a form, or `generic`; null where the step has none. */
  readonly key: string | null
  readonly fields: readonly FormField[]
}

/** A registered action with its parameters. */
export interface ActionCall {
  readonly name: string
  readonly fields: Readonly<Record<string, Template>>
  /** Variable that takes its result. */
  readonly resultVariable?: string
}

/** An action at an event of a step, a line, the process or a task. */
export interface Listener {
  readonly event: 'start' | 'end' | 'take' | 'create' | 'assignment' | 'complete' | 'delete'
  readonly action: ActionCall
}

/** 会签 and other repetitions of a step. */
export interface Loop {
  readonly sequential: boolean
  /** A list; where it stands, `cardinality` counts for nothing. */
  readonly collection?: Expression
  readonly cardinality?: Expression
  readonly elementVariable?: string
  readonly indexVariable?: string
  readonly done?: Expression
}

/** When a timer goes off; texts are ISO 8601 once filled in. */
export type Timer = { readonly duration: Template } | { readonly date: Template } | { readonly cycle: Template }

/** One value handed over to or from a called process. */
export interface Handover {
  readonly source: Expression
  readonly target: string
}

/** What all steps have. */
interface Common {
  readonly id: string
  readonly name: string
  /** Id of the sub-process it stands in; null in the process itself. */
  readonly scope: string | null
  /** Ways on in the order of the text; the default one last. */
  readonly out: readonly Line[]
  /** Id of the line among `out` that is taken when no other is. */
  readonly defaultLine?: string
  /** Ids of the boundary events attached to it. */
  readonly boundary: readonly string[]
  readonly loop?: Loop
  readonly listeners: readonly Listener[]
}

/** Kinds of steps with what only they have. */
export type Kind =
  | { readonly type: 'startEvent'; readonly form?: Form }
  | { readonly type: 'endEvent'; readonly how: 'none' | 'terminate' }
  | { readonly type: 'endEvent'; readonly how: 'error'; readonly errorCode: string }
  | {
      readonly type: 'userTask'
      readonly doers: Doers
      readonly form?: Form
      /** ISO date or duration once filled in. */
      readonly due?: Template
      readonly priority?: Expression
      readonly documentation?: string
    }
  | { readonly type: 'manualTask' | 'task' | 'intermediateThrowEvent' }
  | { readonly type: 'serviceTask' | 'sendTask'; readonly action: ActionCall }
  | { readonly type: 'receiveTask' }
  | {
      readonly type: 'exclusiveGateway' | 'parallelGateway'
    }
  | {
      readonly type: 'inclusiveGateway'
      /** Steps of its scope from which it can still be reached. */
      readonly reachedFrom: readonly string[]
    }
  | {
      readonly type: 'boundaryEvent'
      readonly attachedTo: string
      readonly interrupting: boolean
      readonly timer: Timer
    }
  /** Catches an error of its code, or of any code where it is empty. */
  | {
      readonly type: 'boundaryEvent'
      readonly attachedTo: string
      readonly interrupting: true
      readonly errorCode: string
    }
  | { readonly type: 'intermediateCatchEvent'; readonly timer: Timer }
  | { readonly type: 'subProcess'; readonly start: string }
  | {
      readonly type: 'callActivity'
      /** Key of the process to call once filled in. */
      readonly called: Template
      readonly inherit: boolean
      readonly businessKey?: Expression
      readonly into: readonly Handover[]
      readonly outOf: readonly Handover[]
    }

/** A step of a process. */
export type FlowNode = Common & Kind

/** Kinds of steps by name. */
export type NodeType = Kind['type']

/** A process as it is carried out. */
export interface Graph {
  readonly format: typeof graphFormat
  /** Id of its start event. */
  readonly start: string
  /** Every step, those of sub-processes too. */
  readonly nodes: Readonly<Record<string, FlowNode>>
  /** Variables besides `initiator` and `applicant` that hold who began it. */
  readonly initiatorVariables: readonly string[]
  /** Who may begin it; nobody named means whoever has the right to begin processes. */
  readonly starters: Pick<Doers, 'candidateUsers' | 'candidateGroups'>
  readonly listeners: readonly Listener[]
}
