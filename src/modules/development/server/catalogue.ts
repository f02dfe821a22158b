import { baseFields, type Entity, type Fields, tableOf } from '#engine'
import { entities } from '#schemas'
import type { ColumnInfo, TableInfo } from '../contract.ts'
import type { Queryable } from './source.ts'

const tablesQuery = `
SELECT t.table_name AS name, coalesce(obj_description(format('%I.%I', t.table_schema, t.table_name)::regclass), '') AS comment
FROM information_schema.tables t
WHERE t.table_schema = current_schema() AND ($1::text IS NULL OR t.table_name = $1)
  AND NOT EXISTS (SELECT FROM pg_class c WHERE c.relispartition
    AND c.oid = format('%I.%I', t.table_schema, t.table_name)::regclass)
ORDER BY t.table_name LIMIT 2000`

const columnsQuery = `
SELECT c.column_name AS name, c.udt_name AS type, c.is_nullable = 'YES' AS nullable,
  c.character_maximum_length AS "maxLength", c.column_default AS preset,
  coalesce(col_description(format('%I.%I', c.table_schema, c.table_name)::regclass, c.ordinal_position), '') AS comment,
  EXISTS (SELECT FROM information_schema.key_column_usage k JOIN information_schema.table_constraints p
    ON p.constraint_name = k.constraint_name AND p.table_schema = k.table_schema AND p.constraint_type = 'PRIMARY KEY'
    WHERE k.table_schema = c.table_schema AND k.table_name = c.table_name AND k.column_name = c.column_name) AS "isKey"
FROM information_schema.columns c
WHERE c.table_schema = current_schema() AND c.table_name = $1 ORDER BY c.ordinal_position`

/** Unique indexes of a table over plain columns; rows that were deleted may be left out. */
const uniquesQuery = `
SELECT array_agg(a.attname::text ORDER BY k.n) AS columns FROM pg_index i
JOIN LATERAL unnest(i.indkey) WITH ORDINALITY k (attnum, n) ON true
JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.attnum
WHERE i.indrelid = to_regclass(format('%I.%I', current_schema(), $1::text)) AND i.indisunique AND NOT i.indisprimary
  AND i.indexprs IS NULL
  AND (i.indpred IS NULL OR pg_get_expr(i.indpred, i.indrelid) ~* '^\\(?"?is_?deleted"? = 0\\)?$')
GROUP BY i.indexrelid ORDER BY i.indexrelid`

const tenant = /^tenant_?id$/i

/** A default of a column as plain text; empty for none, and for one that is calculated. */
function presetOf(text: string | null): string {
  const [, quoted] = /^'((?:[^']|'')*)'(?:::[\w ()"]+)?$/.exec(text ?? '') ?? []
  if (quoted !== undefined) return quoted.replaceAll("''", "'").slice(0, 255)
  return /^-?\d+(\.\d+)?$/.test(text ?? '') ? String(text) : ''
}

/** Our own tables are described by their definitions. */
const entityTables = new Map<string, Entity>(entities.map(one => [tableOf(one.name), one]))

const pascal = (name: string): string =>
  name
    .split(/[_-]+/)
    .filter(Boolean)
    .map(part => part.charAt(0).toUpperCase() + part.slice(1))
    .join('')

/** The tables of a data source, or the one that is named; none when there is none of that name. */
export async function readTables(source: Queryable, isOwn: boolean, name: string | null = null): Promise<TableInfo[]> {
  const { rows } = await source.query<{ name: string; comment: string }>(tablesQuery, [name])
  return rows.map(row => ({
    name: row.name,
    comment: (isOwn && entityTables.get(row.name)?.title) || row.comment,
    entityName: pascal(row.name),
  }))
}

/** The columns of a table, in their order; none when there is no such table. */
export async function readColumns(source: Queryable, isOwn: boolean, table: string): Promise<ColumnInfo[]> {
  const { rows } = await source.query<Omit<ColumnInfo, 'preset'> & { preset: string | null }>(columnsQuery, [table])
  const found = await source.query<{ columns: string[] }>(uniquesQuery, [table])
  const uniques = found.rows.map(({ columns }) => columns.filter(name => !tenant.test(name)))
  const fields: Fields = isOwn ? { ...baseFields, ...entityTables.get(table)?.properties } : {}
  const titles = new Map(Object.entries(fields).map(([name, field]) => [name, field.title]))
  return rows.map(row => {
    const field = fields[row.name]
    const together = uniques.findIndex(columns => columns.length > 1 && columns.includes(row.name))
    return {
      ...row,
      comment: titles.get(row.name) ?? row.comment,
      preset: presetOf(row.preset),
      isUnique: uniques.some(columns => columns.length === 1 && columns[0] === row.name),
      uniqueGroup: together < 0 ? '' : `U${together + 1}`,
      dict: (field?.kind === 'dict' || field?.kind === 'state' ? field.dict : '') ?? '',
      isState: field?.kind === 'state',
    }
  })
}
