import type { ColumnType } from 'kysely'
import type { FlowRun } from '#schemas/dictionaries'

type Id = ColumnType<string, string | undefined, string>
/** Given as JSON text, read as what it holds. */
type Json<T> = ColumnType<T, string, string>
type Unset<T> = ColumnType<T | null, T | null | undefined, T | null>

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
  businessTable: string
  businessId: string
  starter: string
  facts: Json<Record<string, string | number | boolean | null>>
  variables: ColumnType<Record<string, string | number | boolean | null>, string | undefined, string>
  status: ColumnType<RunState, RunState | undefined, RunState>
  createTime: Date
  endTime: Unset<Date>
  endUser: Unset<string>
  endReason: Unset<string>
}

/** A step that a process has come to. */
export interface FlowActivityTable {
  id: Id
  instanceId: string
  activityId: string
  type: string
  name: string
  assignee: Unset<string>
  groups: ColumnType<string[], string[] | undefined, string[]>
  createTime: Date
  claimTime: Unset<Date>
  endTime: Unset<Date>
  pass: Unset<boolean>
  comment: Unset<string>
}

declare module '../../../platform/database/tables.ts' {
  interface InternalTables {
    flow_version: FlowVersionTable
    flow_instance: FlowInstanceTable
    flow_activity: FlowActivityTable
  }
}
