import { sql } from 'kysely'
import type { Reader } from '../database/database.ts'

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

/** Keys that are read from the database at a time. */
const portion = 500

/**
 * The keys of all files that people can still ask for and that are kept in the installation's own storage. Drawings that can be
 * made again are not among them.
 */
export async function* allKeys(db: Reader): AsyncGenerator<readonly string[]> {
  let last = ''
  for (;;) {
    const { rows } = await sql<{ key: string }>`
      SELECT DISTINCT name AS key FROM attach
      WHERE "isDeleted" = 0 AND name > ${last} AND name NOT LIKE 'oss-%' ORDER BY name LIMIT ${portion}`.execute(db)
    if (rows.length === 0) return
    yield rows.map(row => row.key)
    last = rows.at(-1)?.key ?? ''
  }
}
