import { sql } from 'kysely'
import type { Database } from '../platform/database/database.ts'
import { type AnyHandle, raw } from '../platform/database/live.ts'
import { type Fragment, ident } from './fragment.ts'
import { isId } from './input.ts'

/** How many rows of a table that are meant a person has removed before. */
export async function countRemoved(
  db: AnyHandle,
  table: string,
  meant: Fragment,
  { userId }: { userId: string },
): Promise<number> {
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM ${sql.raw(ident(table))} t
      WHERE t."isDeleted" = 1 AND t."updateUser" = ${userId} AND ${meant}`.execute(raw(db))
  return rows[0]?.n ?? 0
}

/** Whether a person has removed all of some rows before: then removing them again is no conflict. */
export async function wasRemovedBy(
  db: AnyHandle,
  table: keyof Database & string,
  ids: readonly string[],
  person: { userId: string },
): Promise<boolean> {
  const known = [...new Set(ids)].filter(isId)
  if (known.length === 0) return false
  return (await countRemoved(db, table, sql`t.id = ANY(${known}::bigint[])`, person)) === known.length
}
