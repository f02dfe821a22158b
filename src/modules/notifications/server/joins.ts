import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DomainEvent } from '#engine'
import { domainEvents } from '#resources/events'
import type { AcrossDatabase, LiveTrx } from '../../../platform/database/live.ts'
import { callOffTexts } from '../../messages/server/tell.ts'
import { templateFor } from '../../messages/server/text-codes.ts'
import type { EventTexts } from './text-out.ts'

// Two events of one transaction that say the same to the same person: the one that joins is told first, and its text message waits for
// the other one, which takes its place.

/** An event, as far as it is told apart from others of its transaction. */
interface Told {
  readonly code: string
  readonly act: string | null
}

/** An event that joins another one. */
interface Joiner {
  readonly id: string
  readonly code: string
}

/** Milliseconds that a text message waits at least for the one that takes its place: longer than it takes to tell both. */
export const joining = 60_000

/** Names of the events that join an event. */
const joinerNames = (name: string): readonly string[] =>
  [...domainEvents.values()].filter(({ joins = [] }) => joins.includes(name)).map(one => one.name)

/** Events that others join, each with their names. */
const joined = [...new Set([...domainEvents.values()].flatMap(({ joins = [] }) => joins))].map(
  name => [name, joinerNames(name)] as const,
)

/** Whether everybody has been told of the events that join an event of table `event`, as a condition on it. */
export const noneJoins = (eb: ExpressionBuilder<AcrossDatabase, 'event'>): Expression<SqlBool> =>
  eb.and(
    joined.map(([name, joiners]) =>
      eb.or([
        eb('event.code', '<>', name),
        eb.not(
          eb.exists(
            eb
              .selectFrom('event as joiner')
              .select('joiner.id')
              .whereRef('joiner.act', '=', 'event.act')
              .where('joiner.code', 'in', joiners)
              .where('joiner.toldTime', 'is', null),
          ),
        ),
      ]),
    ),
  )

const inAct = (db: LiveTrx, act: string, codes: readonly string[]) =>
  db
    .selectFrom('event')
    .select(['id', 'code'])
    .where('act', '=', act)
    .where('code', 'in', [...codes])

/** The events of the same transaction that join an event. */
export async function joinersOf(db: LiveTrx, { code, act }: Told): Promise<readonly Joiner[]> {
  const names = joinerNames(code)
  return act === null || names.length === 0 ? [] : inAct(db, act, names).execute()
}

/** Whether there is an event in the same transaction that this one joins. */
export async function hasJoined(db: LiveTrx, { joins = [] }: DomainEvent, { act }: Told): Promise<boolean> {
  if (act === null || joins.length === 0) return false
  return (await inAct(db, act, joins).limit(1).execute()).length > 0
}

const openOf = (db: LiveTrx, joiners: readonly Joiner[], people: readonly string[]) =>
  db
    .selectFrom('message')
    .select(['id', 'userId'])
    .where(
      'eventId',
      'in',
      joiners.map(one => one.id),
    )
    .where('userId', 'in', [...people])
    .where('doneTime', 'is', null)
    .execute()

/** Those of some people for whom what joins an event still holds: who was told of it and of nothing that settles it. */
export async function peopleOfJoiners(
  db: LiveTrx,
  joiners: readonly Joiner[],
  people: readonly string[],
): Promise<string[]> {
  const told = new Set((await openOf(db, joiners, people)).map(one => one.userId))
  return people.filter(one => told.has(one))
}

/** Calls off the text messages of events that join one, for those who get its own. */
export async function callOffJoiners(
  db: LiveTrx,
  tenantId: string,
  joiners: readonly Joiner[],
  texts: readonly EventTexts[],
): Promise<void> {
  const [first] = texts
  const people = texts.flatMap(one => one.receivers.flatMap(({ userId }) => userId ?? []))
  if (joiners.length === 0 || !first || people.length === 0 || !(await templateFor(db, first.codes))) return
  const open = await openOf(db, joiners, people)
  await callOffTexts(
    db,
    tenantId,
    open.map(one => one.id),
  )
}
