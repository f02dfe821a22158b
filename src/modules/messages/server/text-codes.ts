import type { DomainEvent, Facts } from '#engine'
import { type SmsRow, usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import type { Live } from '../../../platform/database/live.ts'

// The template of an event has the name of the event as its number. Providers take no clause as a value, and no empty one: for what an
// event says by a clause there may be a template of its own, with the key of the clause behind the name: `signup.refused.no`.

const clauseCode = ({ name }: DomainEvent, key: string): string => `${name}.${key}`

/** Numbers of the templates that an event may go out by, the best first. */
export const textCodesOf = (event: DomainEvent, facts: Facts): readonly string[] => [
  ...Object.keys(event.phrases ?? {}).flatMap(name => (facts[name] ? [clauseCode(event, String(facts[name]))] : [])),
  event.name,
]

/** Whether an event has a template whatever it says, of those with some numbers. */
export const hasTextFor = (event: DomainEvent, codes: ReadonlySet<string>): boolean =>
  codes.has(event.name) ||
  Object.values(event.phrases ?? {}).some(clauses =>
    Object.keys(clauses).every(key => codes.has(clauseCode(event, key))),
  )

/** Name of the event that a template is for, if it is for one. */
export const eventNameOf = (smsCode: string): string => smsCode.split('.').slice(0, 2).join('.')

/** The first template in use of some numbers. */
export async function templateFor(db: Live, codes: readonly string[]): Promise<SmsRow | undefined> {
  const usable = new Map((await usableTemplates(db)).map(one => [one.smsCode, one]))
  return codes.map(code => usable.get(code)).find(one => one !== undefined)
}
