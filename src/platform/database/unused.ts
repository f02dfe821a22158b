import { tablesLike } from './found.ts'
import type { Difference, Planning } from './plan.ts'
import { baseColumns, quoteName as quote } from './wanted.ts'

/** Columns and tables of entities that no definition asks for any more and that hold nothing. */
export async function planUnused(planning: Planning): Promise<Difference[]> {
  return [...(await unusedColumns(planning)), ...(await unusedTables(planning))]
}

async function unusedColumns({ on, tables, found }: Planning): Promise<Difference[]> {
  const made: Difference[] = []
  for (const { name: table, columns, retired } of tables) {
    const renamed = Object.values(columns).map(one => one.renamed)
    const unknown = Object.keys(found.tables[table]?.columns ?? {}).filter(
      name => !columns[name] && !retired.includes(name) && !renamed.includes(name),
    )
    for (const name of unknown) {
      const { rows } = await on.query(`SELECT FROM ${quote(table)} WHERE ${quote(name)} IS NOT NULL LIMIT 1`)
      if (rows.length > 0) continue
      const sql = [`ALTER TABLE ${quote(table)} DROP COLUMN ${quote(name)}`]
      made.push({ class: 'later', table, name, says: 'holds no value and no field is kept in it', sql })
    }
  }
  return made
}

async function unusedTables({ on, tables }: Planning): Promise<Difference[]> {
  const names = tables.map(({ name }) => name)
  const made: Difference[] = []
  for (const table of await tablesLike(on, Object.keys(baseColumns), names)) {
    const { rows } = await on.query(`SELECT FROM ${quote(table)} LIMIT 1`)
    if (rows.length > 0) continue
    // A table that refers to this one may have gone with those before it.
    const keys = await on.query<{ from: string; name: string }>(
      `SELECT conrelid::regclass::text AS "from", conname AS name FROM pg_constraint
       WHERE confrelid = $1::regclass AND conrelid <> confrelid AND conparentid = 0`,
      [quote(table)],
    )
    const sql = [
      ...keys.rows.map(({ from, name }) => `ALTER TABLE IF EXISTS ${from} DROP CONSTRAINT ${quote(name)}`),
      `DROP TABLE ${quote(table)}`,
    ]
    made.push({ class: 'later', table, name: null, says: 'holds no row and no entity is kept in it', sql })
  }
  return made
}
