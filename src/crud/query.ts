import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { columnField, columnNames, type Field, mostRows, type Resource, tableOf } from '#engine'
import { UserType } from '#schemas/dictionaries'
import { anywhere } from '../platform/database/like.ts'
import { Refusal } from '../platform/http/server/refusal.ts'
import { conditionSql } from './condition.ts'
import { badParameter, type FilterContext, filterNames, filtersOf, isExact, listNames, pagingKeys } from './filter.ts'
import { foundBy } from './find.ts'
import { all, type Fragment, ident, join, statement } from './fragment.ts'
import { byKey } from './key.ts'
import { isApart, listViewSql } from './list-view.ts'
import { listOf } from './listed.ts'
import { type Asking, measureSql } from './measure.ts'
import type { Asked, Query, Read } from './read.ts'
import { isOwner, mayRead } from './readable.ts'
import { shapeOf, unsealText } from './reader.ts'
import { meetsWholeTable, scopeOf } from './scope.ts'
import { farValue, joinsOf } from './step.ts'
import { screenOf, viewsOf } from './view.ts'

interface Prepared {
  table: Fragment
  sortable: ReadonlyMap<string, string>
  sort: Fragment
}

const prepared = new Map<string, Prepared>()
const unsortable: readonly Field['kind'][] = ['json', 'sealed', 'secret', 'richText', 'longText']

const snake = (name: string) => name.replace(/[A-Z]/g, letter => `_${letter.toLowerCase()}`)

/** Names a list may be sorted by, in camel and in snake case, to column names. */
function sortableOf({ resource, person }: Asked): ReadonlyMap<string, string> {
  const columns = [resource, ...viewsOf(resource)].flatMap(columnNames)
  const names = new Set([...columns, ...listNames(resource), 'updateTime', 'id'])
  if (resource.entity.properties.sort) names.add('sort')
  const allowed = [...names].filter(name => {
    const field = columnField(resource, name)
    if (!mayRead(person, resource, name)) return false
    if (name in resource.derived && !resource.measured.includes(name)) return false
    return name === 'id' || (field && !field.hidden && !unsortable.includes(field.kind))
  })
  const second = Object.entries(resource.aliases).filter(([, name]) => mayRead(person, resource, name))
  return new Map(
    [...allowed.map(name => [name, name] as const), ...second].flatMap(([wire, name]) => [
      [wire, name] as const,
      [snake(wire), name] as const,
    ]),
  )
}

/** A column with its direction; rows without a value stand last. */
function orderPart(resource: Resource, name: string, down: boolean): string {
  const isFilled = name === 'id' || name in baseTimes || resource.entity.required.includes(name)
  return `t.${ident(name)}${down ? ' DESC' : ''}${isFilled || !down ? '' : ' NULLS LAST'}`
}

const baseTimes = { createTime: true, updateTime: true }

function prepare({ resource, person }: Asked): Prepared {
  const key = `${resource.name} ${isOwner(person)}`
  const known = prepared.get(key)
  if (known) return known
  const isShown = (one: string) => mayRead(person, resource, one)
  const sort = isShown(resource.sort.replace(/^-/, '')) ? resource.sort : '-createTime'
  const down = sort.startsWith('-')
  const name = down ? sort.slice(1) : sort
  const made: Prepared = {
    table: sql.raw(ident(tableOf(resource.entity.name))),
    sortable: sortableOf({ resource, person }),
    sort: sql.raw(`${orderPart(resource, name, down)}, t.id${down ? ' DESC' : ''}`),
  }
  prepared.set(key, made)
  return made
}

/**
 * The order a list call asks for, or the resource's own; the id decides between equals, so that pages never overlap.
 * @throws input.invalid for a name that cannot be sorted by
 */
export function orderOf(read: Read, query: Query): Fragment {
  const { app, person, resource } = read
  const { sortable, sort } = prepare(read)
  if (!query.ascs && !query.descs) return sort
  const partsOf = (key: 'ascs' | 'descs', down: boolean) =>
    (query[key] ?? '')
      .split(',')
      .filter(Boolean)
      .map(asked => {
        const name = sortable.get(asked.trim())
        if (!name) throw badParameter(key, `不支持的排序 ${asked.slice(0, 40)}`)
        return { name, down }
      })
  const parts = [...partsOf('ascs', false), ...partsOf('descs', true)]
  const once = parts.filter((one, i) => parts.findIndex(other => other.name === one.name) === i)
  const fragments = once.map(({ name, down }) => {
    const step = resource.steps[name]
    const now = app.now()
    const worked = step
      ? farValue(step, { app, person, now })
      : resource.measured.includes(name) && measureSql(name, { app, person, resource, now, asked: query })
    if (!worked) return sql.raw(orderPart(resource, name, down))
    return sql`${worked}${sql.raw(down ? ' DESC NULLS LAST' : '')}`
  })
  const last = once.some(({ name }) => name === 'id') ? [] : [sql.raw(`t.id${query.descs ? ' DESC' : ''}`)]
  return join([...fragments, ...last], ', ')
}

/** Keys of a list call that are no filters by a field: its named filter, and the text of its box. Choices know neither. */
export const listKeys = ['chip', 'keyword'] as const

/** A list that somebody asks for. */
type Listing = FilterContext & Pick<Asking, 'app' | 'known'>

/** What a list is asked for beside values of fields. */
function askedOf(query: Query, screen: Resource, context: Listing): Fragment[] {
  const { person } = context
  const { chip, keyword } = query
  const view = chip ? screen.views[chip] : undefined
  // A named filter may look at a field that the owner of a row does not read.
  if (chip && (!view || isOwner(person))) throw badParameter('chip', '没有这样的筛选')
  if (keyword && screen.find.length === 0) throw badParameter('keyword', '不支持的查询条件')
  return [
    ...(view ? [listViewSql(view, { ...context, asked: query })] : []),
    ...(keyword?.trim() ? [foundBy(keyword, { ...context, resource: screen })] : []),
  ]
}

/** The conditions of a list: who asks, and what for. */
export function whereOf(
  {
    app,
    person,
    resource,
    known,
  }: Omit<Read, 'app'> &
    Pick<Asking, 'known'> & { readonly app: Pick<FastifyInstance, 'now' | 'vault' | 'extensions' | 'rules' | 'db'> },
  query: Query,
  { except = [], allowed }: { except?: readonly string[]; allowed?: ReadonlySet<string> } = {},
): Fragment {
  const isAllowed = (name: string) => mayRead(person, resource, name)
  const now = app.now()
  const context = {
    app,
    resource,
    person,
    now,
    known,
    vault: app.vault,
    allowed: allowed ?? listNames(resource),
    isAllowed,
  }
  const screen = viewsOf(resource).length > 0 ? screenOf(resource, query.view) : resource
  // A view's condition may be on a field that the owner of a row does not read.
  if (!screen || (screen.view && isOwner(person))) throw badParameter('view', '没有这样的视图')
  const shown = screen.view ? [conditionSql(screen.view.where)] : []
  const others = [...except, ...(viewsOf(resource).length > 0 ? ['view'] : []), ...(allowed ? [] : listKeys)]
  const asked = allowed ? [] : askedOf(query, screen, context)
  return all([scopeOf(app, person, resource, now), ...shown, ...asked, ...filtersOf(query, context, others)])
}

/** A number of a list call; clients that want the default leave it out or send 0. */
const wholeNumber = (key: string, text: string | undefined, preset: number): number => {
  if (!text) return preset
  if (!/^\d{1,9}$/.test(text)) throw badParameter(key, '应为正整数')
  return Number(text) || preset
}

/**
 * The ids of a page, which are looked at in an index where one has all that is asked. How many rows are skipped, at most twice too
 * many, stands in the text as well: the planner would expect a tenth of the table, and plan anew for each page. So does the size.
 */
function idsOf(from: Fragment, order: Fragment, { size, current }: { size: number; current: number }): Fragment {
  const limit = sql.raw(`LIMIT ${size}`)
  if (current === 1) return sql`SELECT t.id ${from} ORDER BY ${order} ${limit}`
  const most = sql.raw(`LIMIT ${2 ** Math.ceil(Math.log2(current * size))}`)
  return sql`SELECT t.id FROM (SELECT t.* ${from} ORDER BY ${order} ${most}) t
    ORDER BY ${order} ${limit} OFFSET ${(current - 1) * size}::bigint`
}

/**
 * One page of a resource as the JSON text of the answer's data: `{records, total, size, current, pages}`. The rows are made
 * into JSON by the database and pass through unread. Rows that are met no more when they are read, after their ids, are left out.
 */
export async function readPage(read: Read, query: Query, extra?: Fragment): Promise<string> {
  const { app, person, resource } = read
  const { table } = prepare(read)
  const current = wholeNumber('current', query.current, 1)
  const size = Math.min(wholeNumber('size', query.size, resource.pageSize), mostRows)
  const filters = whereOf(read, query)
  const where = extra ? sql`${filters} AND ${extra}` : filters
  const from = sql`FROM ${table} t WHERE ${where}`
  const tenantId = resource.entity.tenant ? person.tenantId : null
  const isWhole = !extra && meetsWholeTable(person, resource) && Object.keys(query).every(key => pagingKeys.has(key))
  const { total, ids } = await app.totals.read({
    table: tableOf(resource.entity.name),
    tenantId,
    isWhole,
    isExact: isExact(resource, query),
    from,
    ids: idsOf(from, orderOf(read, query), { size, current }),
  })
  const text = unsealText(await app.listed({ read, ids }), resource.entity, app.vault)
  const pages = Math.ceil(total / size)
  return `{"records":${text},"total":${total},"size":${size},"current":${current},"pages":${pages}}`
}

/** All rows that match, as JSON text of an array; 5,000 at most, meant for trees and children. */
export async function readRows(read: Read, where: Fragment, order: Fragment): Promise<string> {
  const { app, resource } = read
  const { table } = prepare(read)
  const fragment = sql`SELECT coalesce(json_agg(row_to_json(r)), '[]')::text AS records FROM (SELECT ${listOf(read)} FROM (
    SELECT t.* FROM ${table} t WHERE ${where} ORDER BY ${order} LIMIT 5000) t ${joinsOf(read, app.now())} ORDER BY ${order}) r`
  const { rows } = await app.pool.query<{ records: string }>(statement(fragment))
  return unsealText(rows[0]?.records ?? '[]', resource.entity, app.vault)
}

/** How many choices one answer holds at most. */
const mostChoices = 50

/** Choices of a reference: `[{id, label, …}]` as JSON text, found by a part of the label or of a text beside it, or by ids. */
export async function readChoices(read: Read, query: Query): Promise<string> {
  const { app, person, resource } = read
  const { entity, tree } = resource
  const { table } = prepare(read)
  // A choice shows less of its row than a list: it is not found by more than the search bar has.
  const except = ['keyword', 'ids', 'size', 'current']
  const conditions = [whereOf(read, query, { except, allowed: filterNames(resource) })]
  const ids = query.ids?.split(',').filter(Boolean).slice(0, mostRows)
  if (ids) conditions.push(byKey(resource, ids))
  const label = mayRead(person, resource, entity.label) ? `t.${ident(entity.label)}::text` : 't.id::text'
  // Candidates are nobody's choice: a list of their names is for those who may list them.
  if (entity.properties.userType && !person.permissions.has(resource.code))
    conditions.push(sql`t."userType" <> ${sql.lit(UserType.candidate)}`)
  const beside = resource.choices.filter(one => mayRead(person, resource, one))
  if (query.keyword) {
    const text = anywhere(query.keyword)
    const texts = beside.filter(one => entity.properties[one]?.kind === 'text').map(one => `t.${ident(one)}`)
    conditions.push(
      sql`(${join(
        [label, ...texts].map(one => sql`${sql.raw(one)} ILIKE ${text}`),
        ' OR ',
      )})`,
    )
  }
  const names = new Map<string, string>([['id', `t.${ident(entity.key)}::text`]])
  names.set('label', `coalesce(${label}, '')`)
  if (mayRead(person, resource, entity.label)) names.set(entity.label, `coalesce(${label}, '')`)
  if (tree)
    names.set(tree.parent, shapeOf(entity, entity.properties[tree.parent] as Field, `t.${ident(tree.parent)}`) ?? `''`)
  for (const name of beside)
    names.set(name, shapeOf(entity, entity.properties[name] as Field, `t.${ident(name)}`) ?? `''`)
  const list = sql.raw([...names].map(([name, shape]) => `${shape} AS ${ident(name)}`).join(', '))
  const most = ids || tree ? mostRows : Math.min(wholeNumber('size', query.size, mostChoices), mostRows)
  const fragment = sql`SELECT coalesce(json_agg(row_to_json(r)), '[]')::text AS records FROM (
    SELECT ${list} FROM ${table} t WHERE ${join(conditions, ' AND ')} ORDER BY ${orderOf(read, query)} LIMIT ${most}::int) r`
  const { rows } = await app.pool.query<{ records: string }>(statement(fragment))
  return rows[0]?.records ?? '[]'
}

/**
 * How many rows each named filter of a resource has, by its name, among those that a list call finds without one: one statement.
 * @throws input.invalid as the list
 */
export async function readViews(read: Read, query: Query): Promise<Record<string, number>> {
  const { app, person, resource } = read
  const { chip: _chip, ...others } = query
  const screen = viewsOf(resource).length > 0 ? screenOf(resource, query.view) : resource
  const views = Object.entries(screen?.views ?? {})
  const from = sql`FROM ${prepare(read).table} t WHERE ${whereOf(read, others)}`
  const now = app.now()
  const counts = await app.totals.counts({
    table: tableOf(resource.entity.name),
    from,
    of: views.map(([, view]) => ({
      condition: listViewSql(view, { app, person, resource, now, asked: others }),
      isApart: isApart(view),
    })),
  })
  return Object.fromEntries(views.map(([name], i) => [name, counts[i] ?? 0]))
}

/**
 * How many rows each of several list calls finds, in one statement; null for a call that the list refuses.
 */
export async function countEach(read: Read, queries: readonly Query[]): Promise<readonly (number | null)[]> {
  const conditions = queries.map(query => {
    try {
      return whereOf(read, query)
    } catch (error) {
      if (error instanceof Refusal) return null
      throw error
    }
  })
  const known = conditions.flatMap(condition => (condition === null ? [] : [{ condition, isApart: true }]))
  if (known.length === 0) return conditions.map(() => null)
  const counts = await read.app.totals.counts({
    table: tableOf(read.resource.entity.name),
    from: sql`FROM ${prepare(read).table} t WHERE true`,
    of: known,
  })
  const left = [...counts]
  return conditions.map(condition => (condition === null ? null : (left.shift() ?? 0)))
}
