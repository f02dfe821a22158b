import type { Reminder } from '#engine'
import type { Live } from '../../../platform/database/live.ts'

/** How a reminder is done: as it is defined, or as an exam or the tenant has changed it. */
export interface ReminderPlan {
  readonly isOn: boolean
  /** Hours before the end, the longest first. */
  readonly steps: readonly number[]
  readonly most: number | null
}

/** What an exam, or the tenant, has changed of a reminder. */
export interface ChangedReminder {
  readonly examId: string | null
  readonly rule: string
  readonly isOn: 0 | 1
  readonly steps: string
  readonly most: number | null
}

/** Reminders that an exam cannot do without: one of their ways is a must. */
export const isMust = ({ by = {} }: Pick<Reminder, 'by'>): boolean => Object.values(by).includes('must')

/** What the tenant and its exams have changed, or the tenant and one exam. */
export const changedReminders = (db: Live, examId?: string | null): Promise<ChangedReminder[]> =>
  db
    .selectFrom('reminderplan')
    .select(['examId', 'rule', 'isOn', 'steps', 'most'])
    .$if(examId !== undefined, query =>
      query.where(eb => eb.or([eb('examId', 'is', null), eb('examId', '=', examId ?? null)])),
    )
    .execute()

/** How a reminder is done in an exam: what the exam says, else the tenant, else its definition. */
export function planOf(rule: Reminder, changed: readonly ChangedReminder[], examId: string | null): ReminderPlan {
  const own = changed.filter(one => one.rule === rule.name)
  const found = own.find(one => examId !== null && one.examId === examId) ?? own.find(one => one.examId === null)
  const { steps, most = null } = rule.reminds
  if (!found) return { isOn: true, steps, most }
  return {
    isOn: found.isOn === 1 || isMust(rule),
    steps: found.steps.split(',').map(Number),
    most: found.most,
  }
}
