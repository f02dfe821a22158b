import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type pg from 'pg'
import { hashOf, migrate, type TableSet } from '../database/migrate.ts'
import type { BackupEntry, Manifest, OpenBackup, Part, Shape } from './backup-file.ts'
import { openBeside } from './backup-run.ts'
import { copyIn } from './copy.ts'
import { quoted, tableNames } from './installation.ts'
import { readShape } from './shape.ts'
import { columnList, spelling } from './take-rows.ts'

const gunzip = promisify(zlib.gunzip) as (bytes: Buffer) => Promise<Buffer>

/** @throws when the rows of a backup do not go into tables that this program makes */
export function checkDefinitions({ definitions, program }: Manifest, tables: TableSet): void {
  if (definitions !== hashOf(tables))
    throw new Error(
      `This backup was taken with version ${program} of the program and other definitions than these. Restore it with that version; a newer one then brings the database to its own definitions at its start.`,
    )
}

/** @throws when a database holds anything */
export async function requireEmpty(pool: pg.Pool): Promise<void> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'p', 'v', 'm', 'S') LIMIT 1`,
  )
  if (rows[0])
    throw new Error(
      `The database is not empty, it has ${rows[0].name} at least: rows are restored into an empty one only.`,
    )
}

interface Rule {
  table: string
  name: string
  type: 'c' | 'f'
  sql: string
}

const rulesSql = `SELECT c.relname AS "table", r.conname AS name, r.contype AS type, pg_get_constraintdef(r.oid) AS sql
  FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid
  WHERE r.connamespace = current_schema()::regnamespace AND r.contype IN ('c', 'f') AND NOT c.relispartition`

/**
 * Makes the tables in an empty database and fills them, in one transaction. The backup must suit ({@link checkDefinitions}).
 * @throws when a row does not fit; the tables are then there and empty of these rows
 */
export async function restoreRows(backup: OpenBackup, pool: pg.Pool, tables: TableSet): Promise<void> {
  const { manifest } = backup
  const shape = manifest.logical
  const part = manifest.parts.find(({ name }) => name === 'tables')
  if (!shape || !part)
    throw new Error('This backup holds no rows but the folder of a cluster: restore it with --into only.')
  await migrate(pool, tables)
  const client = await openBeside(pool)
  try {
    await client.query('BEGIN')
    await client.query(spelling)
    await makeAlike(client, shape)
    const rules = await client.query<Rule>(rulesSql)
    // Rows come in any order, and some may break a rule that came after them.
    const later = rules.rows.filter(({ table, name, type }) => type === 'f' || !shape.rules[`${table}.${name}`])
    for (const { table, name } of later)
      await client.query(`ALTER TABLE ${quoted(table)} DROP CONSTRAINT ${quoted(name)}`)
    const names = await tableNames(client)
    // What counts changes, and what guards the security log, is not meant for rows that come back as they were.
    for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} DISABLE TRIGGER USER`)
    await client.query(`TRUNCATE ${names.map(quoted).join(', ')}`)
    await fill(client, backup, part, shape)
    await keepParts(client)
    for (const [name, value] of Object.entries(shape.sequences))
      await client.query('SELECT setval($1::regclass, $2)', [quoted(name), value])
    for (const { table, name, sql } of later) {
      const isKept = shape.rules[`${table}.${name}`]
      if (isKept === undefined) continue
      await client.query(
        `ALTER TABLE ${quoted(table)} ADD CONSTRAINT ${quoted(name)} ${isKept ? sql : `${sql} NOT VALID`}`,
      )
    }
    for (const name of names) await client.query(`ALTER TABLE ${quoted(name)} ENABLE TRIGGER USER`)
    await client.query('COMMIT')
    await client.query('ANALYZE')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes the tables take what they held: values that are required by now, and what no definition names. */
async function makeAlike(client: pg.ClientBase, shape: Shape): Promise<void> {
  const own = await readShape(client)
  for (const [table, columns] of Object.entries(shape.columns)) {
    const known = new Map(own.columns[table]?.map(column => [column.name, column]))
    if (!own.columns[table]) await client.query(`CREATE TABLE ${quoted(table)} ()`)
    for (const { name, type, required } of columns) {
      const found = known.get(name)
      if (!found) await client.query(`ALTER TABLE ${quoted(table)} ADD ${quoted(name)} ${type}`)
      else if (found.required && !required)
        await client.query(`ALTER TABLE ${quoted(table)} ALTER ${quoted(name)} DROP NOT NULL`)
    }
  }
}

/** Tables that are cut by month have the parts that their rows need. */
async function keepParts(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'p' AND NOT relispartition`,
  )
  for (const { name } of rows) await client.query('SELECT keep_partitions($1, now(), 2)', [name])
}

const tableOf = ({ name }: BackupEntry): string => name.split('/')[0] ?? ''

/** Sends the pieces of each table to it. */
async function fill(client: pg.ClientBase, backup: OpenBackup, part: Part, { columns }: Shape): Promise<void> {
  const entries = backup.entries(part)
  let next = await entries.next()
  while (!next.done) {
    const table = tableOf(next.value)
    const list = columns[table]
    if (!list) throw new Error(`This backup holds rows of ${table}, which it does not describe.`)
    async function* rows() {
      for (; !next.done && tableOf(next.value) === table; next = await entries.next()) {
        const packed: Buffer[] = []
        for await (const bytes of next.value.content()) packed.push(bytes)
        yield gunzip(Buffer.concat(packed))
      }
    }
    await copyIn(client, `COPY ${quoted(table)} (${columnList(list)}) FROM STDIN`, rows()).catch((error: Error) => {
      throw new Error(`The rows of ${table} cannot be restored: ${error.message}`, { cause: error })
    })
  }
}
