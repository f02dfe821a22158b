import { type RawBuilder, sql } from 'kysely'
import type { Fragment } from '../../../crud/fragment.ts'

/**
 * Whether an appointment to an exam is in use and its time runs, as a condition on an alias of `examuser`. A live handle, or
 * `ownRows`, leaves those out that are removed.
 */
export function holds(alias: string, now: Date): Fragment {
  const one = sql.raw(alias)
  return sql`${one}.enable = 1 AND (${one}."startTime" IS NULL OR ${one}."startTime" <= ${now})
    AND (${one}."endTime" IS NULL OR ${one}."endTime" > ${now})`
}

/** The same inside a Kysely query. */
export const holdsNow = (alias: string, now: Date): RawBuilder<boolean> => sql<boolean>`(${holds(alias, now)})`
