import type pg from 'pg'
import type { Shape, ShapeColumn } from './backup-file.ts'
import { quoted } from './installation.ts'

const columnsSql = `SELECT c.relname AS "table", a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, a.attnotnull AS required
  FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  ORDER BY c.relname, a.attnum`

const rulesSql = `SELECT c.relname || '.' || r.conname AS name, r.convalidated AS "isKept"
  FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid
  WHERE r.connamespace = current_schema()::regnamespace AND r.contype IN ('c', 'f') AND NOT c.relispartition`

/** Reads what the tables of a database are like. */
export async function readShape(client: pg.ClientBase): Promise<Shape> {
  const columns: Record<string, ShapeColumn[]> = {}
  const found = await client.query<ShapeColumn & { table: string }>(columnsSql)
  for (const { table, ...column } of found.rows) {
    columns[table] ??= []
    columns[table].push(column)
  }
  const rules = await client.query<{ name: string; isKept: boolean }>(rulesSql)
  const sequences = await client.query<{ name: string }>(
    `SELECT relname AS name FROM pg_class WHERE relnamespace = current_schema()::regnamespace AND relkind = 'S'`,
  )
  const values: Record<string, string> = {}
  for (const { name } of sequences.rows) {
    const { rows } = await client.query<{ value: string }>(`SELECT last_value::text AS value FROM ${quoted(name)}`)
    values[name] = rows[0]!.value
  }
  return {
    columns,
    rules: Object.fromEntries(rules.rows.map(({ name, isKept }) => [name, isKept])),
    sequences: values,
  }
}
