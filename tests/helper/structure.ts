import pg from 'pg'

/** Everything that makes tables what they are. */
const structureSql = `
  SELECT 'table' AS kind, c.oid::regclass::text AS name, concat_ws(' ', c.relkind, c.relpersistence, c.reloptions,
      pg_get_partkeydef(c.oid), pg_get_expr(c.relpartbound, c.oid)) AS text
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')
  UNION ALL SELECT 'column', a.attrelid::regclass || '.' || a.attname,
      format_type(a.atttypid, a.atttypmod) || CASE WHEN a.attnotnull THEN ' NOT NULL ' ELSE ' ' END || a.attidentity::text || a.attgenerated::text
      || coalesce(pg_get_expr(d.adbin, d.adrelid), '')
    FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped
  UNION ALL SELECT 'index', i.indexrelid::regclass::text, i.indisvalid || ' ' || pg_get_indexdef(i.indexrelid)
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid WHERE c.relnamespace = 'public'::regnamespace
  UNION ALL SELECT 'constraint', r.conrelid::regclass || '.' || r.conname, r.convalidated || ' ' || pg_get_constraintdef(r.oid)
    FROM pg_constraint r JOIN pg_class c ON c.oid = r.conrelid WHERE r.connamespace = 'public'::regnamespace
  UNION ALL SELECT 'trigger', t.tgrelid::regclass || '.' || t.tgname, t.tgenabled::text || ' ' || pg_get_triggerdef(t.oid)
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
  UNION ALL SELECT 'function', p.oid::regprocedure::text, md5(pg_get_functiondef(p.oid)) FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace
    AND NOT EXISTS (SELECT FROM pg_depend x WHERE x.objid = p.oid AND x.deptype = 'e')
  UNION ALL SELECT 'sequence', seqrelid::regclass::text, concat_ws(' ', seqtypid::regtype, seqstart, seqincrement, seqmin, seqmax, seqcache, seqcycle)
    FROM pg_sequence
  UNION ALL SELECT 'extension', extname, '' FROM pg_extension
  UNION ALL SELECT 'schema', nspname, '' FROM pg_namespace WHERE nspname !~ '^pg_'
  ORDER BY 1, 2, 3`

/** The tables, columns, indexes, rules, triggers, functions and what else a database has, a line each, in order. */
export async function structureOf(url: string): Promise<string[]> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    const { rows } = await client.query(structureSql)
    return rows.map(row => `${row.kind} ${row.name} ${row.text}`)
  } finally {
    await client.end()
  }
}
