import { sql } from 'kysely'
import type { Reader } from '../database/database.ts'
import { liveAcross } from '../database/live.ts'

/**
 * Which of some keys of the installation's own storage rows of the database name: those of removed files, too, until their
 * bytes have gone.
 */
export async function namedKeys(db: Reader, keys: readonly string[]): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const { rows } = await sql<{ key: string }>`
    SELECT name AS key FROM attach WHERE name = ANY(${[...keys]})
    UNION SELECT key FROM kept_drawing WHERE key = ANY(${[...keys]})`.execute(db)
  return new Set(rows.map(row => row.key))
}

/** Rows that are read from the database at a time. */
const portion = 500

/**
 * The keys of all files that people can still ask for and that are kept in the installation's own storage, each at least once.
 * Drawings that can be made again are not among them.
 */
export async function* allKeys(db: Reader): AsyncGenerator<readonly string[]> {
  const live = liveAcross(db, { now: () => new Date() })
  let last = '0'
  for (;;) {
    const rows = await live
      .selectFrom('attach')
      .select(['id', 'name'])
      .where('id', '>', last)
      .orderBy('id')
      .limit(portion)
      .execute()
    if (rows.length === 0) return
    yield rows.map(row => row.name).filter(name => name !== '' && !name.startsWith('oss-'))
    last = rows.at(-1)?.id ?? ''
  }
}
