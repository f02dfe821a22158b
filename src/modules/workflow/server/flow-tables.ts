import type { ColumnType } from 'kysely'
import type { FlowPass, FlowRun } from '#schemas/dictionaries'
import type { SignKind, Stored, TaskState, TokenState } from '../rules/run/state.ts'

type Id = ColumnType<string, string | undefined, string>
/** Given as JSON text, read as what it holds. */
type Json<T> = ColumnType<T, string, string>
type Unset<T> = ColumnType<T | null, T | null | undefined, T | null>
type Given<T> = ColumnType<T, T | undefined, T>

/** What was deployed of a model. */
export interface FlowVersionTable {
  id: Id
  deploymentId: string
  version: number
  xml: string
  graph: Json<object>
  createTime: Date
}

type RunState = (typeof FlowRun)[keyof typeof FlowRun]

/** One run of a process. */
export interface FlowInstanceTable {
  id: Id
  tenantId: string
  versionId: string
  title: Unset<string>
  businessTable: string
  businessId: string
  starter: string
  facts: Json<Stored>
  variables: ColumnType<Stored, string | undefined, string>
  startForm: ColumnType<Stored | null, string | null | undefined, string | null>
  status: Given<RunState>
  passState: Unset<(typeof FlowPass)[keyof typeof FlowPass]>
  /** Run and token that have called it, and the first of all that call each other. */
  parentInstance: Unset<string>
  parentToken: Unset<string>
  rootInstance: Unset<string>
  depth: Given<number>
  incident: Unset<string>
  incidentToken: Unset<string>
  urgeTime: Unset<Date>
  createTime: Date
  endTime: Unset<Date>
  endUser: Unset<string>
  endReason: Unset<string>
}

/** A place at which a run stands or stood, see `Token`. */
export interface FlowTokenTable {
  id: Id
  instanceId: string
  parentId: Unset<string>
  nodeId: string
  viaFlow: Unset<string>
  state: TokenState
  loc: Json<Stored>
  madeBy: Unset<string>
  endedBy: Unset<string>
  createTime: Date
  endTime: Unset<Date>
}

/** Something a person has or had to do, see `Task`. */
export interface FlowTaskTable {
  id: Id
  instanceId: string
  tokenId: string
  nodeId: string
  name: string
  assignee: Unset<string>
  owner: Unset<string>
  candidateUsers: Given<string[]>
  candidateGroups: Given<string[]>
  formKey: Unset<string>
  priority: Given<number>
  dueTime: Unset<Date>
  state: TaskState
  pass: Unset<boolean>
  comment: Unset<string>
  parentTask: Unset<string>
  signKind: Unset<SignKind>
  createTime: Date
  claimTime: Unset<Date>
  endTime: Unset<Date>
  endedBy: Unset<string>
  isFinal: Given<boolean>
  urgeCount: Given<number>
  /** When somebody was told that it is overdue. */
  dueTold: Unset<Date>
}

/** What people do with a task or a run. */
export type FlowAct =
  | 'claim'
  | 'unclaim'
  | 'complete'
  | 'back'
  | 'transfer'
  | 'delegate'
  | 'resolve'
  | 'sign-add'
  | 'sign-remove'
  | 'withdraw'
  | 'urge'
  | 'cancel'
  | 'retry'
  | 'variable'
  | 'continue'

/** Something that was done with a task or a run. */
export interface FlowTaskLogTable {
  id: Id
  instanceId: string
  taskId: Unset<string>
  act: FlowAct
  fromUser: Unset<string>
  toUser: Unset<string>
  comment: Unset<string>
  /** What a form held before it was changed. */
  form: ColumnType<Stored | null, string | null | undefined, never>
  time: Date
}

/** Somebody who is told of a run. */
export interface FlowCopyTable {
  id: Id
  instanceId: string
  userId: string
  nodeId: Unset<string>
  createTime: Date
  readTime: Unset<Date>
}

/** A step or line that a run has come to. */
export interface FlowActivityTable {
  id: Id
  instanceId: string
  activityId: string
  type: string
  name: string
  /** Of the beginning: who began it. Tasks have theirs. */
  assignee: Unset<string>
  tokenId: Unset<string>
  taskId: Unset<string>
  createTime: Date
  endTime: Unset<Date>
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    flow_version: FlowVersionTable
    flow_instance: FlowInstanceTable
    flow_token: FlowTokenTable
    flow_task: FlowTaskTable
    flow_task_log: FlowTaskLogTable
    flow_copy: FlowCopyTable
    flow_activity: FlowActivityTable
  }
}
