import type { DomainEvent } from '#engine'
import * as exams from './exams/events.ts'
import * as messages from './messages/events.ts'
import * as notices from './notices/events.ts'
import * as payment from './payment/events.ts'
import * as publicity from './publicity/events.ts'
import * as reduction from './reduction/events.ts'
import { reminderRules } from './reminders.ts'
import * as resource from './resource/events.ts'
import * as results from './results/events.ts'
import * as signUp from './sign-up/events.ts'
import * as system from './system/events.ts'
import * as tickets from './tickets/events.ts'
import * as webhooks from './webhooks/events.ts'
import * as workbook from './workbook/events.ts'
import * as workflow from './workflow/events.ts'

/** Everything that people are told of, by name, in the order of the modules; reminders last. */
export const domainEvents: ReadonlyMap<string, DomainEvent> = new Map(
  [
    exams,
    signUp,
    payment,
    reduction,
    notices,
    tickets,
    results,
    publicity,
    messages,
    system,
    resource,
    workbook,
    webhooks,
    workflow,
  ]
    .flatMap(part => Object.values<Readonly<Record<string, object>>>(part))
    .flatMap(group => Object.values(group) as unknown as DomainEvent[])
    .concat(...reminderRules.values())
    .map(one => [one.name, one]),
)
