import { type Condition, type Entity, type Field, type Kind, tableOf } from '#engine'
import type { TableSet } from '../platform/database/migrate.ts'
import {
  baseColumns,
  quoteValue as literal,
  quoteName as quote,
  type WantedColumn,
  type WantedTable,
} from '../platform/database/wanted.ts'
import { literalTest } from './condition.ts'
import { listsOf, rulesOf, tenantKeyOf } from './constraints.ts'
import { indexName, searchIndexesOf } from './search-index.ts'

const varchar = (width: number) => `character varying(${width})`
const whole = (field: Field) => (field.type === 'integer' ? 'integer' : varchar(64))

const columnTypes: Record<Kind, (field: Field) => string> = {
  text: field => varchar(field.maxLength ?? 255),
  longText: () => 'text',
  richText: () => 'text',
  integer: () => 'integer',
  decimal: () => 'numeric(20,4)',
  money: () => 'integer',
  flag: () => 'integer',
  date: () => 'date',
  dateTime: () => 'timestamp with time zone',
  dict: whole,
  dicts: () => 'text',
  state: whole,
  ref: () => 'bigint',
  refs: () => 'text',
  region: () => varchar(12),
  image: () => 'bigint',
  file: () => 'bigint',
  json: () => 'jsonb',
  sealed: () => 'text',
  secret: () => 'text',
}

const column = (type: string, preset: string | null, required = preset !== null): WantedColumn => ({
  type,
  preset,
  required,
})

const presetOf = (value: string | number) => (value === '$now' ? 'now()' : literal(value))

/** Columns of an entity's table, in order; an entity's own field replaces a base column. */
export function columnsOf(entity: Entity): Record<string, WantedColumn> {
  const columns: Record<string, WantedColumn> = { ...baseColumns }
  if (entity.version) columns.version = column('integer', '0')
  for (const [name, field] of Object.entries(entity.properties)) {
    const preset = field.default === undefined ? null : presetOf(field.default)
    const { renamed } = field
    columns[name] = { ...column(columnTypes[field.kind](field), preset, !field.optional), ...(renamed && { renamed }) }
    if (field.kind !== 'sealed') continue
    for (const beside of ['Hash', 'Mask'])
      columns[`${name}${beside}`] = { ...column(varchar(64), null), ...(renamed && { renamed: `${renamed}${beside}` }) }
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
  for (const fields of entity.covered) add(false, [...tenant, ...fields.map(stored), 'id'], whereOf(undefined))
  for (const [name, field] of singles) if (isLookedUp(field)) add(false, [stored(name)])
  // Lists show the newest first, and nothing that was removed.
  if (entity.partition) add(false, [...tenant, 'createTime'])
  else add(false, [...tenant, 'createTime', 'id'], whereOf(undefined))
  return found
}

const isLookedUp = (field: Field) => ['ref', 'state', 'sealed'].includes(field.kind) && !field.unique

/** Deleted rows never stand in the way of new ones. */
function whereOf(condition: Condition | undefined): string {
  const parts = Object.entries(condition ?? {}).map(([field, test]) => literalTest(quote(field), test))
  return [...parts, '"isDeleted" = 0'].join(' AND ')
}

const made = new WeakMap<readonly Entity[], TableSet>()

/** The tables of entities, as `migrate` and `npm run schema` want them, worked out once however many servers a process builds. */
export function tablesOf(entities: readonly Entity[]): TableSet {
  const tables = made.get(entities) ?? tablesFor(entities)
  made.set(entities, tables)
  return tables
}

function tablesFor(entities: readonly Entity[]): TableSet {
  const held = entities.map(entity => ({ rules: rulesOf(entity, entities), lists: listsOf(entity, entities) }))
  const needed = new Set(held.flatMap(({ rules }) => Object.values(rules).map(({ index }) => index)))
  return entities.map((entity, at) => tableFor(entity, held[at]!, needed))
}

function tableFor(
  entity: Entity,
  { rules, lists }: Pick<WantedTable, 'rules' | 'lists'>,
  needed: ReadonlySet<string | undefined>,
): WantedTable {
  const plain = searchIndexesOf(entity, false)
  const all = Object.entries(searchIndexesOf(entity, true))
  const [name, statement] = tenantKeyOf(entity)
  return {
    name: tableOf(entity.name),
    columns: columnsOf(entity),
    indexes: { ...indexesOf(entity), ...plain, ...(needed.has(name) && { [name]: statement }) },
    trigramIndexes: Object.fromEntries(all.filter(([index]) => !(index in plain))),
    rules,
    lists,
    partition: entity.partition,
    retired: entity.retired,
  }
}
