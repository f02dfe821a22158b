import type { Live } from '../../../platform/database/live.ts'
import type { FlowAct } from './flow-tables.ts'

/** Something that somebody did with a run or a task of it. */
export interface Done {
  readonly instanceId: string
  readonly taskId: string | null
  readonly act: FlowAct
  readonly fromUser: string | null
  readonly toUser?: string | null
  readonly comment?: string
  /** What a form held before it was changed. */
  readonly form?: object | null
  readonly time: Date
}

/** Keeps what people did for the history of a run. */
export async function keepLog(db: Live, ...done: readonly Done[]): Promise<void> {
  if (done.length === 0) return
  const values = done.map(({ toUser = null, comment = '', form = null, ...one }) => ({
    ...one,
    toUser,
    comment: comment || null,
    form: form && JSON.stringify(form),
  }))
  await db.insertInto('flow_task_log').values(values).execute()
}
