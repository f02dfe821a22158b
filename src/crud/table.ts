import type { Condition, Entity, Field, Kind, Test } from '#engine'
import { tableOf } from '#engine'
import type { Found, FoundColumn, TableSet } from '../platform/database/migrate.ts'
import { indexName, searchIndexesOf } from './search-index.ts'

const whole = (field: Field) => (field.type === 'integer' ? 'integer' : 'varchar(64)')

const columnTypes: Record<Kind, (field: Field) => string> = {
  text: field => `varchar(${field.maxLength ?? 255})`,
  longText: () => 'text',
  richText: () => 'text',
  integer: () => 'integer',
  decimal: () => 'numeric(20,4)',
  money: () => 'integer',
  flag: () => 'integer',
  date: () => 'date',
  dateTime: () => 'timestamptz',
  dict: whole,
  dicts: () => 'text',
  state: whole,
  ref: () => 'bigint',
  refs: () => 'text',
  region: () => 'varchar(12)',
  image: () => 'bigint',
  file: () => 'bigint',
  json: () => 'jsonb',
  sealed: () => 'text',
  secret: () => 'text',
}

const baseColumns: Record<string, string> = {
  id: 'bigint PRIMARY KEY DEFAULT next_id()',
  tenantId: `varchar(12) NOT NULL DEFAULT '000000'`,
  createUser: 'bigint',
  createDept: 'bigint',
  createTime: 'timestamptz NOT NULL DEFAULT now()',
  updateUser: 'bigint',
  updateTime: 'timestamptz NOT NULL DEFAULT now()',
  status: 'integer NOT NULL DEFAULT 1',
  isDeleted: 'integer NOT NULL DEFAULT 0',
}

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`
const literal = (value: string | number) =>
  typeof value === 'number' ? String(value) : `'${value.replaceAll("'", "''")}'`

const presetOf = (value: string | number) => (value === '$now' ? 'now()' : literal(value))

/** Columns of an entity's table and their definitions, in order; an entity's own field replaces a base column. */
function columnsOf(entity: Entity): Record<string, string> {
  const columns: Record<string, string> = { ...baseColumns }
  if (entity.version) columns.version = 'integer NOT NULL DEFAULT 0'
  for (const [name, field] of Object.entries(entity.properties)) {
    const preset = field.default === undefined ? '' : ` DEFAULT ${presetOf(field.default)}`
    columns[name] = columnTypes[field.kind](field) + preset
    if (field.kind === 'sealed')
      Object.assign(columns, { [`${name}Hash`]: 'varchar(64)', [`${name}Mask`]: 'varchar(64)' })
  }
  return columns
}

/**
 * Indexes that an entity asks for: the statement that makes each, by name. `u_` names hold uniqueness, `i_` names speed; the
 * name of a conditional one is marked, so that a new condition makes a new index.
 */
export function indexesOf(entity: Entity): Record<string, string> {
  const table = tableOf(entity.name)
  const tenant = entity.tenant ? ['tenantId'] : []
  const stored = (name: string) => (entity.properties[name]?.kind === 'sealed' ? `${name}Hash` : name)
  const found: Record<string, string> = {}
  const add = (unique: boolean, fields: readonly string[], where?: string) => {
    const rest = `ON ${quote(table)} (${fields.map(quote).join(', ')})${where ? ` WHERE ${where}` : ''}`
    const special = where === undefined || where === whereOf(undefined) ? '' : where
    const name = indexName([unique ? 'u' : 'i', table, ...fields], special)
    found[name] = `CREATE ${unique ? 'UNIQUE ' : ''}INDEX ${quote(name)} ${rest}`
  }
  const singles = Object.entries(entity.properties)
  for (const [name, field] of singles) if (field.unique) add(true, [...tenant, stored(name)], whereOf(undefined))
  for (const rule of entity.uniques) add(true, [...tenant, ...rule.fields.map(stored)], whereOf(rule.where))
  for (const fields of entity.indexes) add(false, fields.map(stored))
  for (const [name, field] of singles) if (isLookedUp(field)) add(false, [stored(name)])
  add(false, [...tenant, 'createTime'])
  return found
}

const isLookedUp = (field: Field) => ['ref', 'state', 'sealed'].includes(field.kind) && !field.unique

/** Deleted rows never stand in the way of new ones. */
function whereOf(condition: Condition | undefined): string {
  const parts = Object.entries(condition ?? {}).map(([field, test]) => testSql(quote(field), test))
  return [...parts, '"isDeleted" = 0'].join(' AND ')
}

function testSql(column: string, test: Test | undefined): string {
  if (test !== null && typeof test === 'object' && 'not' in test) return `NOT (${testSql(column, test.not)})`
  if (test === null || test === undefined) return `${column} IS NULL`
  const values = typeof test === 'object' ? test : [test]
  const known = values.filter(value => value !== null)
  const parts = known.length ? [`${column} IN (${known.map(literal).join(', ')})`] : []
  if (known.length < values.length) parts.push(`${column} IS NULL`)
  return parts.length === 1 ? parts[0]! : `(${parts.join(' OR ')})`
}

/**
 * The tables of entities, as {@link migrate} wants them: tables, columns and indexes are added, texts widened or made the
 * references they hold, indexes of rules that are no more dropped. Nothing that holds data is ever removed or narrowed.
 */
export const tablesOf = (entities: readonly Entity[]): TableSet => ({
  names: entities.map(({ name }) => tableOf(name)),
  definition: entities.map(one => [
    one.name,
    columnsOf(one),
    indexesOf(one),
    searchIndexesOf(one, true),
    one.partition,
  ]),
  statements: found => entities.flatMap(entity => entityStatements(entity, found)),
})

function entityStatements(entity: Entity, found: Found): string[] {
  const table = tableOf(entity.name)
  const columns = found.columns.filter(column => column.table === table)
  const indexes = found.indexes.filter(index => index.table === table).map(({ index }) => index)
  const wanted = { ...indexesOf(entity), ...searchIndexesOf(entity, found.trigram) }
  // A table that is cut keeps its rows and loses its indexes, which are made anew for all its parts.
  const cut = entity.partition && !found.partitioned.includes(table) ? [`SELECT cut_by_month(${literal(table)})`] : []
  return [...columnStatements(entity, columns), ...cut, ...indexStatements(wanted, cut.length > 0 ? [] : indexes)]
}

function columnStatements(entity: Entity, found: readonly FoundColumn[]): string[] {
  const table = quote(tableOf(entity.name))
  const wanted = Object.entries(columnsOf(entity))
  if (found.length === 0) {
    return [`CREATE TABLE ${table} (\n  ${wanted.map(([name, type]) => `${quote(name)} ${type}`).join(',\n  ')}\n)`]
  }
  return wanted.flatMap(([name, type]) => {
    const column = found.find(one => one.column === name)
    if (!column) return [`ALTER TABLE ${table} ADD COLUMN ${quote(name)} ${type}`]
    if (column.width && type === 'bigint') return [becomeReference(table, quote(name))]
    const width = Number(/^varchar\((\d+)\)/.exec(type)?.[1] ?? 0)
    if (!column.width || width <= column.width) return []
    return [`ALTER TABLE ${table} ALTER COLUMN ${quote(name)} TYPE varchar(${width})`]
  })
}

/** A text becomes the id it holds; one that holds none has never referred to anything. */
const becomeReference = (table: string, column: string): string =>
  `ALTER TABLE ${table} ALTER COLUMN ${column} TYPE bigint
   USING CASE WHEN ${column} ~ '^([1-9][0-9]{0,17}|[1-8][0-9]{18})$' THEN ${column}::bigint END`

function indexStatements(wanted: Readonly<Record<string, string>>, found: readonly string[]): string[] {
  const ours = found.filter(name => /^[ui]_/.test(name))
  return [
    ...ours.filter(name => !(name in wanted)).map(name => `DROP INDEX ${quote(name)}`),
    ...Object.keys(wanted).flatMap(name => (found.includes(name) ? [] : [wanted[name]!])),
  ]
}
