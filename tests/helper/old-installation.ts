import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'

const root = path.resolve(import.meta.dirname, '../..')

/** A database of before. */
interface Old {
  /** What made the tables of the entities. */
  statements: string[]
  /** By table; numbers that are too long for JSON are texts. */
  rows: Record<string, Record<string, unknown>[]>
}

/** An installation as it stood on 2026-11-21. */
export const old: Old = JSON.parse(gunzipSync(readFileSync(`${root}/tests/server/old/2026-11-21.json.gz`)).toString())

/** Where numbered SQL files stand: those of the program, and those of channels. */
const folders = ['src/platform/database/migrations', 'src/platform/channels']

/** All numbered SQL files, in the order in which they run. */
const files = folders
  .flatMap(folder =>
    readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' }).map(name =>
      path.join(root, folder, name),
    ),
  )
  .filter(file => file.endsWith('.sql'))
  .map(file => ({ name: path.basename(file, '.sql'), file }))
  .sort((one, other) => (one.name < other.name ? -1 : 1))

/** A name as SQL has it. */
export const quote = (name: string): string => `"${name}"`

/** What the {@link old} one notes of what has been done in it. */
const noted = old.rows.migration ?? []
/** Of that, what has made its tables and not its rows. */
const structural = noted.filter(({ name }) => name !== 'base-seed')

/**
 * Makes an empty database what the {@link old} one was.
 * @param isFilled with its rows; without, it has its tables and the record of what has made them
 */
export async function makeOld(client: pg.Client, isFilled = true): Promise<void> {
  const known = new Set(noted.map(row => row.name))
  const run = async (isBefore: boolean) => {
    for (const { name, file } of files)
      if (known.has(name) && name.endsWith('.before') === isBefore) await client.query(readFileSync(file, 'utf8'))
  }
  await client.query(
    'CREATE TABLE migration (name varchar(100) PRIMARY KEY, hash varchar(64) NOT NULL, "time" timestamptz NOT NULL DEFAULT now())',
  )
  await run(true)
  await client.query(old.statements.join(';\n'))
  await run(false)
  await client.query('SET session_replication_role = replica')
  const filled = isFilled ? old.rows : { migration: structural }
  for (const [table, rows] of Object.entries(filled)) {
    const columns = Object.keys(rows[0] ?? {})
      .map(quote)
      .join(', ')
    if (rows.length === 0) continue
    await client.query(`DELETE FROM ${quote(table)}`)
    await client.query(
      `INSERT INTO ${quote(table)} (${columns}) SELECT ${columns} FROM json_populate_recordset(NULL::${quote(table)}, $1)`,
      [JSON.stringify(rows)],
    )
  }
}
