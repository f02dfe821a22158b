import { sql } from 'kysely'
import { type Resource, tableOf } from '#engine'
import { liveAs } from '../platform/http/server/live.ts'
import { ident, rowsOf } from './fragment.ts'
import { mayRead } from './readable.ts'
import type { ReadContext } from './rules.ts'
import { scopeOf } from './scope.ts'

/**
 * What rows of a resource are called, by their ids: of those that the reader meets, and where the reader may know the name. Empty for
 * resources whose rows have no name in a text field.
 */
export async function namesOf(
  { app, person, now }: Pick<ReadContext, 'app' | 'person' | 'now'>,
  resource: Resource,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { label, key, properties } = resource.entity
  if (key !== 'id' || properties[label]?.kind !== 'text' || !mayRead(person, resource, label)) return new Map()
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const rows = await rowsOf<{ id: string; label: string | null }>(
    liveAs(app, person),
    sql`SELECT t.id::text AS id, t.${sql.raw(ident(label))} AS label FROM ${table} t
      WHERE t.id = ANY(${[...ids]}::bigint[]) AND ${scopeOf(app, person, resource, now)}`,
  )
  return new Map(rows.map(row => [row.id, row.label ?? '']))
}
