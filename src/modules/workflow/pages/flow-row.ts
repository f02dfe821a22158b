/** One line of a list of processes or tasks. */
export interface FlowRow {
  readonly id?: string
  readonly taskId?: string
  readonly taskName?: string
  readonly processInstanceId?: string
  readonly processDefinitionId?: string
  readonly businessId?: string
  readonly processDefinitionName: string
  readonly key?: string
  readonly category: string | number
  readonly version?: number
  readonly suspensionState?: number
  readonly assigneeName?: string
  readonly starterName?: string
  /** Of a run: 1 running, 2 done, 3 ended before its time. */
  readonly status?: number
  readonly createTime?: string
  readonly endTime?: string
  readonly deployTime?: string
}
