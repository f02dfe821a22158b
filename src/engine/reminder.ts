import { type DomainEvent, type EventDefinition, events, type Known, type VariablesIn } from './domain-event.ts'
import type { Entity, NameOf } from './entity.ts'
import type { Resource } from './resource.ts'

/**
 * Rows about which something is to be done, by names that the application has, each with the names of the facts that its query gives
 * beside the fields of the row: `declare module '#engine' { interface Populations { unpaid: never; examinees: 'site' } }`. The server
 * has a query for each.
 */
export interface Populations {}

/** Name of a group of rows. */
export type PopulationName = keyof Populations & string

/** Times that reminders count back from, by names that the application has, registered likewise. The server finds each. */
export interface Deadlines {}

/** Name of a time that is counted back from. */
export type DeadlineName = keyof Deadlines & string

/** When somebody is reminded, and of which rows. */
export interface Reminding {
  /** The rows: those that something is to be done about at the moment. A row that is not one of them any more is told to nobody. */
  readonly who: PopulationName
  /** The time that is counted back from. */
  readonly before: DeadlineName
  /** Hours before that time at which people are reminded. */
  readonly steps: readonly number[]
  /** How often for one row and time; once more where the time has moved. As often as there are steps where nothing is said. */
  readonly most?: number
  /** Events of the same row, by name, after which nothing is to be done: messages are settled, texts called off. */
  readonly stops?: readonly string[]
}

/** What people are reminded of: as it is told, and when. */
export interface ReminderDefinition<Name extends string = string>
  extends Omit<EventDefinition<Name>, 'settles' | 'hold' | 'corrects' | 'urgent' | 'joins' | 'delays'>,
    Reminding {}

/** Names in a reminder that nothing stands behind: variables of its texts, facts that its rows do not have. */
type Unknown<D> = D extends {
  readonly who: infer P extends PopulationName
  readonly data: infer F
  readonly text: { readonly zh: infer Zh extends string; readonly en: infer En extends string }
}
  ? Exclude<VariablesIn<Zh | En>, Known<D>> | Exclude<keyof F, 'until' | Populations[P]>
  : never

/** What a reminder has to be like beyond the type of its definition. */
type Sound<D> = [Unknown<D>] extends [never] ? unknown : `nothing stands behind: ${Unknown<D> & string}`

/** A reminder as it is kept: the event that it makes, and when it does. */
export interface Reminder extends DomainEvent {
  readonly reminds: Reminding
}

/**
 * Says what people are reminded of before something ends, of the rows of a resource. Data only: of whom, counting back from when, in
 * which words and by which ways. A job of the server makes the events, each once. `until` among the facts is the time by which
 * something can be done.
 * @param of whose rows they are
 * @param definitions the reminders by their keys; the name of one, by which its event goes too, is `<resource>.<key>`
 */
export function reminders<E extends Entity, const D extends Readonly<Record<string, ReminderDefinition<NameOf<E>>>>>(
  of: Pick<Resource<E>, 'name' | 'entity'>,
  definitions: D & { readonly [K in keyof D]: Sound<D[K]> },
): Readonly<Record<keyof D, Reminder>> {
  const told = Object.entries<ReminderDefinition>(definitions).map(
    ([key, { who, before, steps, most, stops, ...event }]) =>
      [key, event, { who, before, steps, ...(most !== undefined && { most }), ...(stops && { stops }) }] as const,
  )
  const made = events(of, Object.fromEntries(told.map(([key, event]) => [key, event])) as never) as Readonly<
    Record<string, DomainEvent>
  >
  return Object.fromEntries(told.map(([key, , reminds]) => [key, { ...made[key], reminds }])) as never
}
