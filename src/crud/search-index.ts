import { createHash } from 'node:crypto'
import { type Entity, type Field, fieldOf, type Kind, type Resource, searchOf, tableOf, waysOf } from '#engine'
import { workspaces } from '#resources/workspaces'
import { ident } from './fragment.ts'
import { resourceOfTable } from './lookup.ts'

/** The most bytes a name may have in PostgreSQL. */
const longest = 63

/** A name for an index that says what it is for; a long one is cut and gets a mark of the whole. */
export function indexName(parts: readonly string[], mark = ''): string {
  const name = parts.join('_')
  if (!mark && Buffer.byteLength(name) <= longest) return name
  const hash = createHash('sha256').update(`${name} ${mark}`).digest('hex').slice(0, 6)
  return `${name.slice(0, longest - 7)}_${hash}`
}

/** Rows that belong to people, or are met by a scope, grow by the thousand; settings and catalogues stay small enough to be read through. */
const grows = ({ owner, scope, entity }: Resource): boolean =>
  owner !== null ||
  waysOf(scope).some(way => !('wide' in way)) ||
  Object.values(entity.properties).some(({ kind }) => kind === 'sealed')

/**
 * Indexes for what a resource offers of an entity's rows: texts that are searched by part, and the order of its list.
 * Names begin with `i_`, as those that the entity itself asks for.
 * @param trigram whether the database can index parts of texts (`pg_trgm`)
 */
export function searchIndexesOf(entity: Entity, trigram: boolean): Record<string, string> {
  const resource = resourceOfTable(tableOf(entity.name))
  if (!resource) return {}
  const table = tableOf(entity.name)
  const plain = [...orderIndex(resource, table), ...filterIndex(resource, table), ...trendIndexes(resource, table)]
  if (!grows(resource)) return Object.fromEntries(plain)
  const sought = new Set([...resource.search, ...resource.find])
  const parts = trigram ? [...sought].filter(name => isByPart(fieldOf(entity, name))) : []
  const made = parts.map(name => {
    const index = indexName(['i', table, name, 'part'])
    return [index, `CREATE INDEX ${ident(index)} ON ${ident(table)} USING gin (${ident(name)} gin_trgm_ops)`] as const
  })
  return Object.fromEntries([...made, ...plain])
}

const isByPart = (field: Field | undefined): boolean => field !== undefined && searchOf[field.kind] === 'part'

/** The order of a list, as `query.ts` says it: newest first by default, for which every table has an index anyway. */
function orderIndex({ sort, entity }: Resource, table: string): (readonly [string, string])[] {
  const isDown = sort.startsWith('-')
  const name = isDown ? sort.slice(1) : sort
  if (name === 'createTime') return []
  const way = isDown ? (entity.required.includes(name) ? ' DESC' : ' DESC NULLS LAST') : ''
  const columns = [`${ident(name)}${way}`, `id${isDown ? ' DESC' : ''}`]
  if (entity.tenant) columns.unshift(ident('tenantId'))
  const index = indexName(['i', table, name, 'order'], living)
  return [[index, `CREATE INDEX ${ident(index)} ON ${ident(table)} (${columns.join(', ')}) WHERE ${living}`]]
}

/** Lists show no rows that were removed. */
const living = '"isDeleted" = 0'

/** Kinds whose values are few, and kinds that are compared: a filter by the first narrows an index for the second. */
const narrow: readonly Kind[][] = [
  ['state', 'dict', 'flag'],
  ['ref', 'integer', 'money', 'decimal', 'date', 'dateTime'],
]

/** Columns of one index at most. */
const mostColumns = 8

/** What a list is filtered by without a look into texts, in one index: it is enough to count the rows that are found. */
function filterIndex({ search, entity }: Resource, table: string): (readonly [string, string])[] {
  if (entity.partition) return []
  const own = search.filter(name => name in entity.properties)
  const found = narrow.flatMap(kinds => own.filter(name => kinds.includes(fieldOf(entity, name)?.kind as Kind)))
  if (found.length === 0) return []
  const columns = [...found.slice(0, mostColumns), ...(search.includes('createTime') ? ['createTime'] : [])]
  if (entity.tenant) columns.unshift('tenantId')
  const index = indexName(['i', table, 'filter'], columns.join())
  return [[index, `CREATE INDEX ${ident(index)} ON ${ident(table)} (${columns.map(ident).join(', ')}) WHERE ${living}`]]
}

/** How many rows of a workspace came on each day, in one index: the rows themselves need not be read. */
function trendIndexes({ name, entity }: Resource, table: string): (readonly [string, string])[] {
  return workspaces.flatMap(({ trend, pages }) => {
    const page = pages.find(one => one.name === trend?.page)
    if (!trend || !page || !('list' in page) || page.list !== name) return []
    const columns = [...(entity.tenant ? ['tenantId'] : []), page.by, ...Object.keys(trend.where), trend.time]
    const index = indexName(['i', table, 'trend'], columns.join())
    return [
      [index, `CREATE INDEX ${ident(index)} ON ${ident(table)} (${columns.map(ident).join(', ')}) WHERE ${living}`],
    ]
  })
}
