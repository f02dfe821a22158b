import type pg from 'pg'

/** A place in the log of the database. */
export async function walPlace(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ place: string }>('SELECT pg_current_wal_insert_lsn()::text AS place')
  return rows[0]?.place ?? ''
}

/** What one table, with its indexes and long values, has written into the log. */
export interface WalOfTable {
  /** Parts of a table that is cut by month are together. */
  readonly table: string
  /** Bytes, without the images of whole pages that follow a checkpoint. */
  readonly bytes: number
}

/**
 * What has been written into the log of the database since a place, the most first.
 * @param from see {@link walPlace}
 */
export async function walSince(pool: pg.Pool, from: string): Promise<readonly WalOfTable[]> {
  await pool.query('CREATE EXTENSION IF NOT EXISTS pg_walinspect')
  const { rows } = await pool.query<WalOfTable>(
    `SELECT regexp_replace(coalesce(t.relname, 'else'), '_(rest|[0-9]{6})$', '') AS "table",
       sum((w.record_length - coalesce(w.block_fpi_length, 0)) / w.parts)::float8 AS bytes
     FROM (SELECT *, count(*) OVER (PARTITION BY start_lsn) AS parts
       FROM pg_get_wal_block_info($1::pg_lsn, pg_current_wal_flush_lsn(), false)) w
     LEFT JOIN pg_class c ON c.relfilenode = w.relfilenode
     LEFT JOIN pg_index i ON i.indexrelid = c.oid
     LEFT JOIN pg_class o ON o.reltoastrelid = coalesce(i.indrelid, c.oid)
     LEFT JOIN pg_class t ON t.oid = coalesce(o.oid, i.indrelid, c.oid)
     GROUP BY 1 ORDER BY 2 DESC`,
    [from],
  )
  return rows
}

/** The part of tables with one beginning in all that was written. */
export function walShare(tables: readonly WalOfTable[], beginning: string): number {
  const sum = (some: readonly WalOfTable[]) => some.reduce((all, { bytes }) => all + bytes, 0)
  return sum(tables.filter(({ table }) => table.startsWith(beginning))) / sum(tables)
}
