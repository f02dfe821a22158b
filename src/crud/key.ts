import { sql } from 'kysely'
import type { Resource } from '#engine'
import { type Fragment, ident } from './fragment.ts'
import { isId } from './input.ts'

/** The condition on `t` that finds rows by id, or by the entity's own key where it has one. */
export function byKey({ entity }: Resource, keys: readonly string[]): Fragment {
  const known = keys.filter(isId)
  const ids = known.length === 1 ? sql`t.id = ${known[0]}::bigint` : sql`t.id = ANY(${known}::bigint[])`
  return entity.key === 'id' ? ids : sql`(${ids} OR ${sql.raw(`t.${ident(entity.key)}`)} = ANY(${keys}::text[]))`
}
