import { reminderRules } from '#resources/reminders'
import { eventNameOf } from './text-codes.ts'

/** Templates of reminders that an exam can do without. */
const spare: ReadonlySet<string> = new Set(
  [...reminderRules.values()].filter(({ by }) => by?.sms !== 'must').map(one => one.name),
)

/** Whether what a template says can be done without: it leaves a part of what may be spent to others. */
export const isSpare = (smsCode: string): boolean => spare.has(eventNameOf(smsCode))
