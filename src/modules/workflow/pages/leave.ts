/** Where leaves are. */
export const leavePath = '/blade-desk/process/leave'

/** What somebody who asks for a leave fills in; times as they travel. */
export interface LeaveInput {
  startTime: string
  endTime: string
  reason: string
  taskUser: string
}

/** Where the process of a leave stands. */
interface Standing {
  readonly processInstanceId?: string
  /** 1 running, 2 done, 3 ended before its time. */
  readonly status?: number
  /** The task that waits; empty when none does. */
  readonly taskId?: string
  /** That task, or the end that was come to. */
  readonly taskName?: string
  /** Who has to do it; empty until somebody claims it. */
  readonly assignee?: string
  readonly assigneeName?: string
  readonly endReason?: string
}

/** A leave with who asked, who decides, and where its process stands. */
export interface Leave extends LeaveInput {
  readonly id: string
  readonly createUserName: string
  readonly taskUserName: string
  readonly applyTime: string
  readonly processInstanceId: string
  readonly flow: Standing
}

/** What is wrong with the end of a leave, in Chinese; nothing while one of the times is missing. */
export function endProblem(startTime: string, endTime: string): string | undefined {
  return startTime && endTime && endTime <= startTime ? '结束时间应晚于开始时间' : undefined
}
