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
const folder = `${root}/src/platform/database/migrations`

/** A name as SQL has it. */
export const quote = (name: string): string => `"${name}"`

/** Makes an empty database what the {@link old} one was. */
export async function makeOld(client: pg.Client): Promise<void> {
  const known = new Set(old.rows.migration?.map(row => row.name))
  const files = readdirSync(folder).sort()
  const run = async (isBefore: boolean) => {
    for (const file of files) {
      const name = file.replace(/\.sql$/, '')
      if (known.has(name) && name.endsWith('.before') === isBefore)
        await client.query(readFileSync(`${folder}/${file}`, 'utf8'))
    }
  }
  await client.query(
    'CREATE TABLE migration (name varchar(100) PRIMARY KEY, hash varchar(64) NOT NULL, "time" timestamptz NOT NULL DEFAULT now())',
  )
  await run(true)
  await client.query(old.statements.join(';\n'))
  await run(false)
  await client.query('SET session_replication_role = replica')
  for (const [table, rows] of Object.entries(old.rows)) {
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
