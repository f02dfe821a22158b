import { sql } from 'kysely'
import { noParent, tableOf } from '#engine'
import { pagingKeys } from './filter.ts'
import { type Fragment, ident } from './fragment.ts'
import { orderOf, readRows, whereOf } from './query.ts'
import type { Query, Read } from './read.ts'
import { linkOf } from './tree-link.ts'

type Row = Record<string, unknown> & { children?: Row[] }

/** A row of a tree with those below it; leaves have no `children`, because clients tell them by that. */
export type Branch<R> = R & { children?: Branch<R>[] }

/** What a parent is called that is none. */
const noParents: readonly string[] = ['', noParent, '00']

/**
 * Rows put below their parents; one whose parent is not among them stands at the top.
 * @param parent name of what says the row above
 * @param key name of what a row is called by
 */
export function growTree<R extends object>(
  rows: readonly R[],
  parent: keyof R & string,
  key: keyof R & string,
): Branch<R>[] {
  const byKey = new Map((rows as readonly Branch<R>[]).map(row => [String(row[key]), row]))
  const tops: Branch<R>[] = []
  for (const row of rows as readonly Branch<R>[]) {
    const above = byKey.get(String(row[parent] ?? ''))
    if (!above || above === row) tops.push(row)
    else {
      above.children ??= []
      above.children.push(row)
    }
  }
  return tops
}

/** The tree of a resource, or of the rows a filter finds. */
export async function readTree(read: Read, query: Query): Promise<Row[]> {
  const { parent, key } = linkOf(read.resource)
  const { [parent]: at, ...filters } = query
  if (at && !noParents.includes(at)) return readChildren(read, query)
  const text = await readRows(read, whereOf(read, filters), orderOf(read, query))
  return growTree<Row>(JSON.parse(text), parent, key)
}

/** The rows directly below a parent as an array, without their own children. */
export async function readChildren(read: Read, query: Query): Promise<Row[]> {
  return JSON.parse(await readRows(read, whereOf(read, query), orderOf(read, query)))
}

/** One level of a tree; rows with something below carry `hasChildren: true`, others do not carry it. */
export async function readLevel(read: Read, query: Query): Promise<Row[]> {
  const { resource } = read
  const { parent, key } = linkOf(read.resource)
  const table = sql.raw(ident(tableOf(resource.entity.name)))
  const { [parent]: at = '', ...filters } = query
  const [up, own] = [sql.raw(`t.${ident(parent)}`), sql.raw(ident(key))]
  const level: Fragment =
    at === '' || (key === 'id' && noParents.includes(at))
      ? sql`NOT EXISTS (SELECT 1 FROM ${table} p WHERE p.${own} = ${up} AND p."isDeleted" = 0)`
      : sql`${up}::text = ${at}`
  const searched = Object.keys(filters).some(name => filters[name] && !pagingKeys.has(name))
  const where = searched && at === '' ? whereOf(read, filters) : sql`${whereOf(read, filters)} AND ${level}`
  const rows: Row[] = JSON.parse(await readRows(read, where, orderOf(read, query)))
  const keys = rows.map(row => String(row[key]))
  const { rows: parents } = await read.app.pool.query<{ key: string }>(
    `SELECT DISTINCT ${ident(parent)}::text AS key FROM ${ident(tableOf(resource.entity.name))}
     WHERE ${ident(parent)}::text = ANY($1) AND "isDeleted" = 0`,
    [keys],
  )
  const branches = new Set(parents.map(one => one.key))
  return rows.map(row => (branches.has(String(row[key])) ? { ...row, hasChildren: true } : row))
}
