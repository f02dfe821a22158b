import type { Reminder } from '#engine'
import * as exams from './exams/reminders.ts'
import * as payment from './payment/reminders.ts'
import * as results from './results/reminders.ts'
import * as signUp from './sign-up/reminders.ts'
import * as system from './system/reminders.ts'
import * as tickets from './tickets/reminders.ts'

/** Everything that people are reminded of, by name: of candidates in the order of an exam, then of staff. */
export const reminderRules: ReadonlyMap<string, Reminder> = new Map(
  [signUp, payment, tickets, results, exams, system]
    .flatMap(part => Object.values<Readonly<Record<string, object>>>(part))
    .flatMap(group => Object.values(group) as unknown as Reminder[])
    .map(one => [one.name, one]),
)
