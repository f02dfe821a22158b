import { createHash } from 'node:crypto'
import type pg from 'pg'

/** A column as PostgreSQL's catalogue shows it. */
export interface FoundColumn {
  table: string
  column: string
  /** Width of a `varchar`, null for other types. */
  width: number | null
}

/** What of a set of tables a database already has. */
export interface Found {
  columns: readonly FoundColumn[]
  indexes: readonly { table: string; index: string }[]
  /** Tables that are cut into partitions. */
  partitioned: readonly string[]
  /** Whether parts of texts can be indexed (`pg_trgm`). */
  trigram: boolean
}

/** Tables that are made from definitions. */
export interface TableSet {
  names: readonly string[]
  /** Everything the tables follow from; while it and the SQL files are the same, nothing is looked at. */
  definition: unknown
  /** What is to be done to a database that has `found`. */
  statements(found: Found): string[]
}

/** Any number that all processes share and nothing else uses. */
const migrationLock = 811_000_001

const files = import.meta.glob<string>('./migrations/*.sql', { query: '?raw', import: 'default', eager: true })
const migrations = Object.entries(files)
  .map(([path, sql]) => ({ name: path.replace(/^.*\//, '').replace(/\.sql$/, ''), sql }))
  .sort((a, b) => (a.name < b.name ? -1 : 1))

/**
 * Brings the database to what this program expects, in one transaction and under a lock that several starting processes
 * respect. SQL files named `NNN-what.before.sql` run before the tables of the entities are made (renames, functions used in
 * defaults), files named `NNN-what.sql` after (tables of our own, back-fills). Nothing happens when nothing changed.
 * @returns true when something was changed
 */
export async function migrate(pool: pg.Pool, tables: TableSet): Promise<boolean> {
  const wanted = createHash('sha256')
    .update(JSON.stringify([tables.definition, migrations]))
    .digest('hex')
  if ((await readHash(pool)) === wanted) return false
  const client = await pool.connect()
  try {
    await client.query('BEGIN')
    await client.query('SET LOCAL lock_timeout = 0')
    await client.query('SET LOCAL statement_timeout = 0')
    await client.query('SELECT pg_advisory_xact_lock($1)', [migrationLock])
    const changed = (await readHash(client)) !== wanted
    if (changed) await apply(client, tables, wanted)
    await client.query('COMMIT')
    return changed
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

type Queryable = pg.Pool | pg.PoolClient

async function readHash(on: Queryable): Promise<string | undefined> {
  const { rows } = await on.query<{ found: string | null }>(`SELECT to_regclass('migration')::text AS found`)
  if (!rows[0]?.found) return undefined
  const hash = await on.query<{ hash: string }>(`SELECT hash FROM migration WHERE name = 'definitions'`)
  return hash.rows[0]?.hash
}

async function apply(client: pg.PoolClient, tables: TableSet, hash: string): Promise<void> {
  await client.query(`CREATE TABLE IF NOT EXISTS migration (
    name varchar(100) PRIMARY KEY, hash varchar(64) NOT NULL, "time" timestamptz NOT NULL DEFAULT now())`)
  const { rows } = await client.query<{ name: string }>('SELECT name FROM migration')
  const open = migrations.filter(({ name }) => !rows.some(row => row.name === name))
  for (const one of open) if (one.name.endsWith('.before')) await runFile(client, one)
  const statements = tables.statements(await readFound(client, tables.names))
  if (statements.length > 0) await client.query(statements.join(';\n'))
  for (const one of open) if (!one.name.endsWith('.before')) await runFile(client, one)
  await client.query(
    `INSERT INTO migration (name, hash) VALUES ('definitions', $1)
     ON CONFLICT (name) DO UPDATE SET hash = excluded.hash, "time" = now()`,
    [hash],
  )
}

async function runFile(client: pg.PoolClient, { name, sql }: { name: string; sql: string }): Promise<void> {
  try {
    await client.query(sql)
  } catch (error) {
    throw new Error(`Migration ${name}.sql failed: ${(error as Error).message}`, { cause: error })
  }
  const hash = createHash('sha256').update(sql).digest('hex')
  await client.query('INSERT INTO migration (name, hash) VALUES ($1, $2)', [name, hash])
}

async function readFound(client: pg.PoolClient, names: readonly string[]): Promise<Found> {
  const columns = await client.query<Found['columns'][number]>(
    `SELECT table_name AS "table", column_name AS "column", character_maximum_length AS width
     FROM information_schema.columns WHERE table_schema = current_schema() AND table_name = ANY($1)`,
    [names],
  )
  const indexes = await client.query<Found['indexes'][number]>(
    `SELECT tablename AS "table", indexname AS "index" FROM pg_indexes
     WHERE schemaname = current_schema() AND tablename = ANY($1)`,
    [names],
  )
  const cut = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p' AND relname = ANY($1)`,
    [names],
  )
  const trigram = await client.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)
  const partitioned = cut.rows.map(({ name }) => name)
  return { columns: columns.rows, indexes: indexes.rows, partitioned, trigram: trigram.rowCount === 1 }
}
