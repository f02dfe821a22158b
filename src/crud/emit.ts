import { sql } from 'kysely'
import type { DomainEvent, Facts, FactsOf, Field, SubjectOf } from '#engine'
import { Event } from '#schemas/system/event'
import type { LiveTrx } from '../platform/database/live.ts'

/** The facts of an event, said once or for each of the rows; nothing where it has none beside the fields of its row. */
type Told<V extends DomainEvent> = keyof FactsOf<V> extends never
  ? readonly []
  : readonly [facts: FactsOf<V> | ((row: SubjectOf<V>) => FactsOf<V>)]

/** Rows of one statement. */
const together = 1000

const asFact = (value: unknown): string | number | null => {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'number' || typeof value === 'string' ? value : null
}

const factsOf = (names: readonly string[], values: Readonly<Record<string, unknown>>): Facts =>
  Object.fromEntries(names.map(name => [name, asFact(values[name])]))

type AnyRow = Readonly<Record<string, unknown>>

/** The references of an event that its row has, too; the row itself where one is to rows of its kind. */
const referencesOf = ({ resource }: DomainEvent, row: AnyRow): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries<Field>(Event.properties).flatMap(([name, { ref }]) =>
      ref === undefined ? [] : [[name, (ref === resource ? row.id : row[name]) || null]],
    ),
  )

async function keep(
  trx: LiveTrx,
  event: DomainEvent,
  rows: readonly object[],
  [facts]: readonly unknown[],
  { once, at }: { once?: (row: never) => string; at?: Date } = {},
): Promise<string[]> {
  const all = (rows as readonly AnyRow[]).map(row => {
    const more = (typeof facts === 'function' ? facts(row) : (facts ?? {})) as AnyRow
    return {
      code: event.name,
      subjectId: String(row.id),
      ...referencesOf(event, row),
      facts: JSON.stringify({ ...factsOf(event.fields, row), ...factsOf(Object.keys(event.data), more) }),
      once: once?.(row as never) ?? null,
      againTime: at ?? null,
      act: sql<string>`pg_current_xact_id()::text`,
    }
  })
  const ids: string[] = []
  for (let from = 0; from < all.length; from += together) {
    const kept = await trx
      .insertInto('event')
      .values(all.slice(from, from + together))
      .onConflict(conflict => conflict.doNothing())
      .returning('id')
      .execute()
    ids.push(...kept.map(({ id }) => id))
  }
  return ids
}

/**
 * Keeps that something has happened to rows, in the transaction in which it does. People are told of it once that is kept, and never
 * else; who acts, and for which tenant, is what the handle stands for.
 * @param event one of the definitions made by `events`
 * @param rows the rows as they are stored now
 * @param told facts of the moment that the event has beside the fields of its row
 */
export async function emit<V extends DomainEvent>(
  trx: LiveTrx,
  event: V,
  rows: NoInfer<readonly SubjectOf<V>[]>,
  ...told: Told<NoInfer<V>>
): Promise<void> {
  await keep(trx, event, rows, told)
}

/** As {@link emit} of one row. @returns the id of the event, for what is kept with it and is no fact of it */
export async function emitOne<V extends DomainEvent>(
  trx: LiveTrx,
  event: V,
  row: NoInfer<SubjectOf<V>>,
  ...told: Told<NoInfer<V>>
): Promise<string> {
  const [id = ''] = await keep(trx, event, [row], told)
  return id
}

/**
 * As {@link emit}, once: of events of a tenant with the same `once` the first is kept.
 * @param once what the event of a row is, with the event's name: `remind:returned:123:24`
 */
export async function emitOnce<V extends DomainEvent>(
  trx: LiveTrx,
  event: V,
  rows: NoInfer<readonly SubjectOf<V>[]>,
  once: (row: SubjectOf<NoInfer<V>>) => string,
  ...told: Told<NoInfer<V>>
): Promise<void> {
  await keep(trx, event, rows, told, { once: once as never })
}

/**
 * As {@link emit} of one row, told no sooner than at a time: what it says begins then.
 * @param at a time to come, or one that is past
 */
export async function emitAt<V extends DomainEvent>(
  trx: LiveTrx,
  event: V,
  row: SubjectOf<NoInfer<V>>,
  at: Date,
  ...told: Told<NoInfer<V>>
): Promise<void> {
  await keep(trx, event, [row], told, { at })
}
