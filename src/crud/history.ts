import type { ColumnType, Generated } from 'kysely'
import type { Entity, Field, Kind } from '#engine'
import type { Reader } from '../platform/database/database.ts'
import type { Live } from '../platform/database/live.ts'
import { wireTime } from '../platform/http/server/wire.ts'
import type { Values } from './input.ts'

/** Fields that changed, each with its value before and after; null for none. */
export type Changes = Readonly<Record<string, readonly [before: unknown, after: unknown]>>

/** One entry of the history of a row. */
interface HistoryTable {
  id: Generated<string>
  tenantId: string
  entity: string
  rowId: string
  act: string
  changes: ColumnType<Changes, string, never>
  reason: string | null
  userId: string | null
  time: Date
}

declare module '../platform/database/tables.ts' {
  interface InternalTables {
    history: HistoryTable
  }
}

/** What is done to rows, by whom, when and why. */
export interface Deed {
  /** `add`, `edit`, `remove`, or the name of a transition or an action. */
  readonly act: string
  readonly userId: string
  readonly now: Date
  readonly reason?: string
}

/** Kinds of which only the fact is kept: secrets because nobody may read them, the others because they are large. */
const unspoken: readonly Kind[] = ['secret', 'json', 'richText']

/** A value as the history keeps it. */
function keptValue(name: string, { kind }: Field, row: Values): unknown {
  const value = row[name] ?? null
  if (value === null || unspoken.includes(kind)) return null
  if (kind === 'sealed') return row[`${name}Mask`] ?? null
  return value instanceof Date ? wireTime(value) : value
}

/** Whether a change of a field is kept: of what never leaves the server only that a secret is another one. */
export const isTold = ({ hidden, kind }: Field): boolean => !hidden || kind === 'secret'

/** Columns by which a change of a field is told: a sealed text is sealed again each time, its hash is not. */
const tellingColumn = (name: string, { kind }: Field): string => (kind === 'sealed' ? `${name}Hash` : name)

const asText = (value: unknown): string => (value === undefined ? 'null' : JSON.stringify(value))

/**
 * The fields of a row that changed.
 * @param before the stored row, null for a new one
 * @param after the row as it is stored now, null for one that is removed
 */
function changesOf({ properties }: Entity, before: Values | null, after: Values | null): Changes {
  const [old, now] = [before ?? {}, after ?? {}]
  const changed = Object.entries(properties).filter(([name, field]) => {
    const column = tellingColumn(name, field)
    return isTold(field) && asText(old[column] ?? null) !== asText(now[column] ?? null)
  })
  return Object.fromEntries(
    changed.map(([name, field]) => [name, [keptValue(name, field, old), keptValue(name, field, now)]] as const),
  )
}

/**
 * Writes the history of rows of one entity; nothing where the entity keeps none. Handlers that write rows by themselves call it.
 * @param pairs each row before and after; null for a row that was not there, or is removed
 */
export async function keepHistory(
  on: Reader | Live,
  entity: Entity,
  pairs: readonly (readonly [before: Values | null, after: Values | null])[],
  { act, userId, now, reason }: Deed,
): Promise<void> {
  if (!entity.history || pairs.length === 0) return
  // The history is a table of our own, so every handle writes it alike.
  const db = on as Live
  const entries = pairs.map(([before, after]) => ({
    tenantId: String((after ?? before)?.tenantId),
    entity: entity.name,
    rowId: String((after ?? before)?.id),
    act,
    changes: JSON.stringify(after ? changesOf(entity, before, after) : {}),
    reason: reason || null,
    userId,
    time: now,
  }))
  for (let at = 0; at < entries.length; at += 1000)
    await db
      .insertInto('history')
      .values(entries.slice(at, at + 1000))
      .execute()
}

/** Whether the last deed of this name on each of these rows was by the same person, for the same reason. */
export async function wasLastDeed(
  trx: Reader,
  entity: Entity,
  ids: readonly string[],
  { act, userId, reason }: Omit<Deed, 'now'>,
): Promise<boolean> {
  const rows = await trx
    .selectFrom('history')
    .select(['userId', 'reason'])
    .distinctOn('rowId')
    .where('entity', '=', entity.name)
    .where('rowId', 'in', [...ids])
    .where('act', '=', act)
    .orderBy('rowId')
    .orderBy('id', 'desc')
    .execute()
  return rows.length === ids.length && rows.every(one => one.userId === userId && one.reason === (reason || null))
}
