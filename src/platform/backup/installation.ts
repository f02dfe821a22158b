import { readFile } from 'node:fs/promises'
import path from 'node:path'
import type pg from 'pg'
import { programVersion } from '../config/config.ts'
import type { Manifest, TableCount } from './backup-file.ts'
import { fingerprintOf, leastPassphrase, type WrappedKey, wrapKey } from './key.ts'

/** What is backed up. */
export interface Installation {
  /** Leads to the database past any pooler. */
  readonly pool: pg.Pool
  readonly dataDir: string
  /** As SECRET_KEY gives it; undefined when it is kept in the folder of data. */
  readonly secretKey: string | undefined
}

/** Makes what a backup says of the key, for the digest that it belongs to. */
export type SealKey = (belongsTo: string) => Promise<WrappedKey | { fingerprint: string }>

/**
 * Finds the key of an installation, before anything is copied.
 * @param passphrase asks for what a key in the folder of data is wrapped with
 * @throws when there is no key, or the passphrase is too short
 */
export async function readKey(
  { dataDir, secretKey }: Pick<Installation, 'dataDir' | 'secretKey'>,
  passphrase: () => Promise<string | undefined>,
): Promise<SealKey> {
  if (secretKey) return async () => ({ fingerprint: fingerprintOf(secretKey) })
  const file = path.join(dataDir, 'secret.key')
  const key = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new Error(
      `${file} cannot be read (${error.code}), and SECRET_KEY is not given: without its key a backup opens nothing.`,
    )
  })
  const word = await passphrase()
  if (!word)
    throw new Error('BACKUP_PASSPHRASE is missing: the key of the installation goes into the backup, wrapped with it.')
  if (word.length < leastPassphrase)
    throw new Error(`The passphrase is too short: give ${leastPassphrase} characters or more.`)
  return belongsTo => wrapKey(key.trim(), word, belongsTo)
}

/** What a manifest says of a database. @throws when it holds no installation */
export async function describe(
  client: pg.ClientBase,
): Promise<Pick<Manifest, 'program' | 'definitions' | 'postgres' | 'user' | 'database'>> {
  const found = await client.query<{ is: boolean }>(`SELECT to_regclass('migration') IS NOT NULL AS is`)
  if (!found.rows[0]?.is) throw new Error('This database holds no installation: there is nothing to back up.')
  const { rows } = await client.query<{ definitions: string; postgres: string; user: string; database: string }>(
    `SELECT (SELECT hash FROM migration WHERE name = 'definitions') AS definitions, current_user AS user,
       current_database() AS database, split_part(current_setting('server_version'), ' ', 1) AS postgres`,
  )
  return { program: programVersion, ...rows[0]! }
}

/** Quotes a name for SQL. */
export const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`

/** Names of the tables of the schema; those that are cut into parts by their own name. */
export async function tableNames(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition ORDER BY 1`,
  )
  return rows.map(({ name }) => name)
}

/** How many rows each table has, and how often it was changed, as the transaction of a connection sees it. */
export async function countTables(client: pg.ClientBase): Promise<Record<string, TableCount>> {
  const changes = await client.query<{ name: string; changes: string }>(
    `SELECT "table" AS name, sum(count)::text AS changes FROM change_count GROUP BY 1`,
  )
  const counted = new Map(changes.rows.map(one => [one.name, one.changes]))
  const { rows: watched } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_trigger g JOIN pg_class c ON c.oid = g.tgrelid
     WHERE g.tgname = 't_count_change' AND c.relnamespace = current_schema()::regnamespace AND NOT c.relispartition`,
  )
  const isWatched = new Set(watched.map(({ name }) => name))
  const counts: Record<string, TableCount> = {}
  for (const name of await tableNames(client)) {
    const { rows } = await client.query<{ n: string }>(`SELECT count(*)::text AS n FROM ${quoted(name)}`)
    counts[name] = { rows: Number(rows[0]?.n), changes: isWatched.has(name) ? (counted.get(name) ?? '0') : null }
  }
  return counts
}

/** Does something in one snapshot of the database, which nothing changes. */
export async function inSnapshot<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  try {
    return await work()
  } finally {
    await client.query('COMMIT').catch(() => {})
  }
}
