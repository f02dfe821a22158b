import type pg from 'pg'

/** What statements are sent to. */
export type Queryable = pg.Pool | pg.ClientBase

/** A column as PostgreSQL's catalogue shows it. */
export interface FoundColumn {
  readonly type: string
  readonly required: boolean
  readonly preset: string | null
}

/** A table as PostgreSQL's catalogue shows it. */
export interface FoundTable {
  readonly columns: Readonly<Record<string, FoundColumn>>
  /** By name: whether the index can be used. An index whose building was interrupted cannot. */
  readonly indexes: Readonly<Record<string, boolean>>
  /** Names of indexes that keys of tables outside the set need. */
  readonly held: readonly string[]
  /** By name: whether all rows are known to keep the rule. */
  readonly rules: Readonly<Record<string, boolean>>
  readonly partitioned: boolean
  /** Size in bytes, without indexes. */
  readonly bytes: number
}

/** What of a set of tables a database has. */
export interface Found {
  readonly tables: Readonly<Record<string, FoundTable>>
  /** Whether parts of texts can be indexed (`pg_trgm`). */
  readonly trigram: boolean
}

const sql = `SELECT c.relname AS name, c.relkind = 'p' AS partitioned, pg_relation_size(c.oid)::float8 AS bytes,
  (SELECT json_object_agg(a.attname, json_build_object('type', format_type(a.atttypid, a.atttypmod), 'required', a.attnotnull,
     'preset', pg_get_expr(d.adbin, d.adrelid)) ORDER BY a.attnum)
   FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped) AS columns,
  coalesce((SELECT json_object_agg(x.relname, i.indisvalid) FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
   WHERE i.indrelid = c.oid), '{}') AS indexes,
  coalesce((SELECT json_agg(DISTINCT x.relname) FROM pg_constraint r JOIN pg_class x ON x.oid = r.conindid
   JOIN pg_class o ON o.oid = r.conrelid WHERE r.contype = 'f' AND r.confrelid = c.oid AND NOT o.relispartition
     AND NOT o.relname = ANY($1)), '[]') AS held,
  coalesce((SELECT json_object_agg(r.conname, r.convalidated) FROM pg_constraint r
   WHERE r.conrelid = c.oid AND r.contype IN ('c', 'f')), '{}') AS rules
FROM pg_class c
WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND c.relname = ANY($1)`

/** Reads what a database has of some tables. */
export async function readFound(on: Queryable, names: readonly string[]): Promise<Found> {
  const { rows } = await on.query<FoundTable & { name: string }>(sql, [names])
  const trigram = await on.query(`SELECT 1 FROM pg_extension WHERE extname = 'pg_trgm'`)
  return { tables: Object.fromEntries(rows.map(row => [row.name, row])), trigram: trigram.rowCount === 1 }
}

/**
 * Names of other tables that have all the given columns.
 * @param known tables that are not asked for
 */
export async function tablesLike(
  on: Queryable,
  columns: readonly string[],
  known: readonly string[],
): Promise<readonly string[]> {
  const { rows } = await on.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
       AND NOT c.relname = ANY($2) AND $1::text[] <@ (SELECT array_agg(a.attname::text) FROM pg_attribute a
         WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped)
     ORDER BY 1`,
    [columns, known],
  )
  return rows.map(({ name }) => name)
}
