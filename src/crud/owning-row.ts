import type { FastifyInstance } from 'fastify'
import { type Resource, waysOf } from '#engine'
import type { Reader } from '../platform/database/database.ts'

/** Refuses a write to rows that belong to one which accepts none any more. @param ids of the rows they belong to */
export type OwningRowGuard = (on: Reader, ids: readonly unknown[]) => Promise<void>

declare module '../platform/http/server/extensions.ts' {
  interface Extensions {
    /** By the name of the scope that says to which row another belongs. */
    owningRows: Readonly<Record<string, OwningRowGuard>>
  }
}

const owning = (scope: Resource['scope']) =>
  waysOf(scope).flatMap(way => ('by' in way && way.field !== 'id' ? [way] : []))

/** Whether rows of a resource belong to rows that may accept none. */
export const hasOwningRows = ({ scope }: Resource): boolean => owning(scope).length > 0

/**
 * Refuses a write to rows that belong to a row which accepts none.
 * @param rows as they are stored, and as they would be
 * @throws what the guard of their scope refuses with
 */
export async function checkOwningRows(
  { extensions }: Pick<FastifyInstance, 'extensions'>,
  on: Reader,
  { scope }: Resource,
  rows: readonly Readonly<Record<string, unknown>>[],
): Promise<void> {
  const named = owning(scope)
  for (const name of new Set(named.map(({ by }) => by))) {
    const fields = named.filter(({ by }) => by === name).map(({ field }) => field)
    await extensions.owningRows[name]?.(
      on,
      fields.flatMap(field => rows.map(row => row[field])),
    )
  }
}
