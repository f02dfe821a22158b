import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import {
  columnField,
  type FigureOfWorkspace,
  figureQuery,
  listBehind,
  type Resource,
  shownNames,
  type TodayOfWorkspace,
  tableOf,
  type Workspace,
} from '#engine'
import { modules, resources, views } from '#resources'
import { workspaces } from '#resources/workspaces'
import { dictionaries } from '#schemas'
import { type Person, person } from '../platform/http/server/access.ts'
import { wire, wireDay } from '../platform/http/server/wire.ts'
import { actionsOf } from './action.ts'
import { withDerived } from './derive.ts'
import { readDetail } from './detail.ts'
import { ident, join, statement } from './fragment.ts'
import { findResource } from './lookup.ts'
import { columnSql } from './measure.ts'
import { whereOf } from './query.ts'
import type { Query, Read } from './read.ts'
import { mayRead } from './readable.ts'
import { hooksOf, type Values } from './rules.ts'

/** Days of a trend at most: the latest on which rows came. */
const mostDays = 60

const screens: readonly Resource[] = [...resources, ...views]
const madeByHand = new Map(modules.flatMap(({ pages = [] }) => pages.map(({ path, code }) => [path, code] as const)))

/** The workspace around the rows of a resource. */
export const workspaceOf = ({ name }: Pick<Resource, 'name'>): Workspace | undefined =>
  workspaces.find(one => one.name === name)

/** The permissions of a workspace: those of its pages, and that of the list it leads back to. One of them does. */
export function workspaceCodes(one: Workspace, resource: Resource): readonly string[] {
  const codes = one.pages.flatMap(page => codeOf(page) ?? [])
  return [...new Set([resource.code, ...codes])]
}

/** Fields that decide which checks and which buttons a page shows, and those that a button begins with or leads by. */
function deciding({ header, checks, still }: Workspace, resource: Resource): readonly string[] {
  const acts = Object.values(actionsOf(resource)).flatMap(({ when, askWhen }) => [when, askWhen])
  const conditions = [
    checks?.while,
    checks?.later,
    checks?.again,
    header.outside?.when,
    still,
    ...header.states.map(one => one.when),
    ...acts,
  ]
  const buttons = Object.values(actionsOf(resource)).flatMap(({ second, begin = {}, open = '' }) => [
    ...(second ? [second] : []),
    ...Object.values(begin),
    ...[...open.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []),
  ])
  return [...conditions.flatMap(test => Object.keys(test ?? {})), ...buttons]
}

/** A number of the home: its list with the query that it is counted by. */
interface Counted {
  title: string
  oldest: string | null
  sum: string | null
  parts: string | null
  list: Resource
  query: Query
}

/** Permission of a page of a workspace. */
const codeOf = (page: Workspace['pages'][number]): string | null | undefined => {
  if ('list' in page) return screens.find(({ name }) => name === page.list)?.code
  return 'page' in page ? (page.code ?? madeByHand.get(page.page)) : page.code
}

/** The numbers whose page somebody may open, each as its list is asked. */
function countedFor(
  one: Workspace,
  caller: Person,
  id: string,
  figures: readonly (FigureOfWorkspace | TodayOfWorkspace)[],
): Counted[] {
  return figures.flatMap(figure => {
    const page = one.pages.find(({ name }) => name === figure.page)
    const code = page && codeOf(page)
    const found = listBehind(one, figure, screens)
    if (!found || !code || !caller.permissions.has(code)) return []
    const { title, sum } = figure
    const { oldest, parts } = 'oldest' in figure ? figure : { oldest: null, parts: null }
    return [{ title, oldest, sum, parts, list: found.list, query: { [found.by]: id, ...figureQuery(figure) } }]
  })
}

/** Lines with work, without those that have no more than another that is among them. */
function withWork({ today }: Workspace, counted: readonly Values[]): Values[] {
  const countOf = new Map(counted.map(({ title, count }) => [title, Number(count)]))
  const covered = new Set(
    today.flatMap(({ title, among }) => (among && countOf.get(title) === countOf.get(among) ? [among] : [])),
  )
  return counted.filter(({ title, count }) => Number(count) > 0 && !covered.has(String(title)))
}

/** How many rows there are and how many came on each day; null where their list is not the person's. */
async function readTrend({ app, person: caller }: Read, { trend, pages }: Workspace, id: string) {
  const page = pages.find(({ name }) => name === trend?.page)
  const list = page && 'list' in page ? findResource(page.list) : undefined
  if (!trend || !list || !page || !('list' in page) || !caller.permissions.has(list.code)) return null
  if (!mayRead(caller, list, trend.time)) return null
  const where = whereOf(
    { app, person: caller, resource: list },
    { [page.by]: id, ...figureQuery({ where: trend.where, view: null }) },
  )
  const day = sql.raw(`(t.${ident(trend.time)} AT TIME ZONE 'Asia/Shanghai')::date`)
  const { rows: days } = await app.pool.query<{ day: string | null; count: number }>(
    statement(sql`SELECT ${day}::text AS day, count(*)::int AS count FROM ${sql.raw(ident(tableOf(list.entity.name)))} t WHERE ${where}
      GROUP BY ${day} ORDER BY 1`),
  )
  return {
    count: days.reduce((sum, one) => sum + one.count, 0),
    days: days.filter(one => one.day !== null).slice(-mostDays),
    today: wireDay(app.now()),
  }
}

/** How many rows of each list there are or what they sum up to, since when they wait and what a field says of them: one statement for all. */
async function counts({ app, person: caller }: Read, figures: readonly Counted[]): Promise<Values[]> {
  if (figures.length === 0) return []
  const selects = figures.map(({ oldest, sum, parts, list, query }, i) => {
    const table = sql.raw(ident(tableOf(list.entity.name)))
    const since = oldest && mayRead(caller, list, oldest) ? sql.raw(`min(t.${ident(oldest)})`) : sql`NULL::timestamptz`
    const number = sum && mayRead(caller, list, sum) ? sql.raw(`coalesce(sum(t.${ident(sum)}), 0)`) : sql`count(*)`
    const asking = { app, person: caller, resource: list, now: app.now(), asked: query }
    const field = parts && mayRead(caller, list, parts) ? parts : undefined
    const rows = field ? hooksOf(app, list).measureRows?.[field]?.(asking) : undefined
    const known = field && rows ? { [field]: sql`v.value` } : undefined
    const where = whereOf({ app, person: caller, resource: list, known }, query)
    if (!field)
      return sql`SELECT ${sql.lit(i)} AS at, ${number}::float8 AS count, ${since} AS oldest, NULL::json AS parts FROM ${table} t WHERE ${where}`
    const part = columnSql(field, { ...asking, known })
    const parted = rows ? sql`${table} t LEFT JOIN ${rows} v ON v.id = t.id` : sql`${table} t`
    return sql`SELECT ${sql.lit(i)}, coalesce(sum(p.n), 0)::float8, NULL::timestamptz,
      json_object_agg(p.part, p.n ORDER BY p.part) FILTER (WHERE p.part IS NOT NULL)
      FROM (SELECT ${part} AS part, count(*) AS n FROM ${parted} WHERE ${where} GROUP BY 1) p`
  })
  const { rows } = await app.pool.query<{
    at: number
    count: number
    oldest: Date | null
    parts: Record<string, number> | null
  }>(statement(sql`${join(selects, ' UNION ALL ')} ORDER BY at`))
  return rows.map(({ at, count, oldest, parts }) => {
    const { title, list, parts: field } = figures[at] ?? {}
    const words = dictionaries.find(({ code }) => field && list && code === columnField(list, field)?.dict)?.entries
    const named = Object.entries(parts ?? {}).map(([value, num]) => ({ title: words?.[value] ?? value, count: num }))
    return { title, count, oldest, parts: named }
  })
}

/**
 * What stands above the pages of a workspace, and what waits for work in it.
 * @throws row.notFound where the row is not there for whoever asks
 */
export async function readWorkspace(request: FastifyRequest, resource: Resource, query: Query): Promise<unknown> {
  const { server: app } = request
  const caller = person(request)
  const read = { app, person: caller, resource }
  const one = workspaceOf(resource)
  if (!one) throw new Error(`${resource.name} has no workspace.`)
  const context = { app, person: caller, now: app.now(), request }
  const stored = JSON.parse(await readDetail(read, query)) as Values
  const [row = stored] = await withDerived(context, resource, [stored])
  const id = String(stored.id)
  const lines = countedFor(one, caller, id, one.today)
  const figures = countedFor(one, caller, id, one.trend?.numbers ?? [])
  const [trend, counted] = await Promise.all([readTrend(read, one, id), counts(read, [...lines, ...figures])])
  const waiting = withWork(one, counted.slice(0, lines.length))
  const numbers = counted.slice(lines.length).map(({ title, count }) => ({ title, count }))
  const names = shownNames(one).flatMap(name => [name, `${name}Name`])
  const shown = new Set(['id', 'version', resource.entity.label, ...names, ...deciding(one, resource)])
  const line = one.header.line && (await hooksOf(app, resource).line?.(context, stored))
  return wire({
    row: Object.fromEntries(Object.entries(row).filter(([name]) => shown.has(name))),
    label: row[resource.entity.label],
    line,
    today: waiting,
    trend: trend && { ...trend, numbers },
  })
}
