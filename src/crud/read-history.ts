import { type Selectable, sql } from 'kysely'
import {
  deedLabel,
  type Field,
  type historyEntryShape,
  isFar,
  type PageOfWorkspace,
  type Resource,
  tableOf,
  type Wire,
  type Workspace,
  type workspaceEntryShape,
} from '#engine'
import type { Reader } from '../platform/database/database.ts'
import type { InternalTables } from '../platform/database/tables.ts'
import { type Page, page as pageOf, pageOf as partOf } from '../platform/http/server/page.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { wireTime } from '../platform/http/server/wire.ts'
import { badParameter } from './filter.ts'
import { ident, join, statement } from './fragment.ts'
import { isTold } from './history.ts'
import { byKey } from './key.ts'
import { findEntity, findResource, resourceOfTable } from './lookup.ts'
import type { Query, Read } from './read.ts'
import { isOwner } from './readable.ts'
import { limitsOf, scopeOf } from './scope.ts'

/** The page of a workspace that tells of changes. */
type HistoryPage = Extract<PageOfWorkspace, { readonly history: unknown }>

/** Entries that are shown of one row: the newest. */
const mostEntries = 200

/** The ids of rows that a value of a field names. */
const idsOf = ({ kind }: Field, value: unknown): string[] =>
  kind === 'ref' || kind === 'refs'
    ? String(value ?? '')
        .split(',')
        .filter(Boolean)
    : []

/** The labels of rows, by `entity id`. */
async function labelsOf(db: Reader, wanted: readonly (readonly [entity: string, id: string])[]) {
  const labels = new Map<string, string>()
  for (const name of new Set(wanted.map(([entity]) => entity))) {
    const entity = findEntity(name)
    if (!entity) continue
    const ids = wanted.filter(([one]) => one === name).map(([, id]) => id)
    const { rows } = await sql<{
      id: string
      label: string | null
    }>`SELECT t.id::text AS id, t.${sql.raw(ident(entity.label))}::text AS label FROM ${sql.raw(ident(tableOf(name)))} t
        WHERE t.id = ANY(${[...new Set(ids)]}::bigint[])`.execute(db)
    for (const { id, label } of rows) labels.set(`${name} ${id}`, label ?? '')
  }
  return labels
}

/** An entry with the row that it is about. */
type Entry = Selectable<InternalTables['history']>

/** Entries as they are told: with the names of people and of the rows that references lead to. */
async function toldOf({ app }: Pick<Read, 'app'>, entries: readonly Entry[], resourceOf: (entry: Entry) => Resource) {
  const named = entries.flatMap(entry => {
    const { properties } = resourceOf(entry).entity
    return [
      ...(entry.userId ? [['user', entry.userId] as const] : []),
      ...Object.entries(entry.changes).flatMap(([name, values]) => {
        const field = properties[name]
        if (!field?.ref) return []
        return values.flatMap(value => idsOf(field, value).map(id => [field.ref as string, id] as const))
      }),
    ]
  })
  const labels = await labelsOf(app.db, named)
  const nameOf = (field: Field, value: unknown) =>
    idsOf(field, value)
      .map(id => labels.get(`${field.ref} ${id}`) ?? id)
      .join(',')
  return entries.map(entry => {
    const resource = resourceOf(entry)
    const { id, act, reason, userId, time, changes } = entry
    return {
      id,
      act,
      actName: deedLabel(resource, act),
      reason: reason ?? '',
      userId: userId ?? '',
      userName: labels.get(`user ${userId}`) ?? '',
      time: wireTime(time),
      changes: Object.entries(resource.entity.properties).flatMap(([name, field]) => {
        const [from, to] = changes[name] ?? []
        if (!(name in changes) || !isTold(field)) return []
        const names = { fromName: nameOf(field, from), toName: nameOf(field, to) }
        return [{ field: name, from: from ?? '', to: to ?? '', ...names }]
      }),
    }
  })
}

/** The id of the row of a call. @throws row.notFound when it is not there for this person */
async function rowOf({ app, person, resource }: Read, query: Query): Promise<string> {
  const { entity } = resource
  const key = query[entity.key] || query.id
  if (!key) throw badParameter(entity.key, '缺少必要的请求参数')
  const table = sql.raw(ident(tableOf(entity.name)))
  const { rows } = await sql<{
    id: string
  }>`SELECT t.id::text AS id FROM ${table} t WHERE ${byKey(resource, [key])} AND ${scopeOf(app, person, resource, app.now())}`.execute(
    app.db,
  )
  const [row] = rows
  if (!row) throw refuse('row.notFound')
  return row.id
}

/**
 * What has been done to one row, the newest first: at most 200 entries. Who of the staff has done what is not for the owner of a row.
 * @throws row.notFound when the row is not there for this person, request.forbidden for an owner
 */
export async function readHistory(read: Read, query: Query): Promise<Wire<typeof historyEntryShape>[]> {
  const { app, person, resource } = read
  if (isOwner(person)) throw refuse('request.forbidden')
  const id = await rowOf(read, query)
  const entries = await app.db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', resource.entity.name)
    .where('rowId', '=', id)
    .where('tenantId', '=', person.tenantId)
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
  return toldOf(read, entries, () => resource)
}

/** A resource whose rows belong to the row of a workspace, and the field by which they do. */
interface Belonging {
  resource: Resource
  by: string
}

/** The resources whose changes a page of a workspace tells to a person: those that keep a history, and whose list is the person's. */
function belongings(page: HistoryPage, { pages }: Workspace, { permissions }: Read['person']): Belonging[] {
  const listed = pages.flatMap(one => ('list' in one && !isFar(one.by) ? [{ of: one.list, by: one.by }] : []))
  const named = new Map([...listed, ...page.history].map(({ of, by }) => [of, by]))
  return [...named].flatMap(([of, by]) => {
    const found = findResource(of) ?? resourceOfTable(tableOf(of))
    return found?.entity.history && permissions.has(found.code) ? [{ resource: found, by }] : []
  })
}

/**
 * What has been done around the row of a workspace, the newest first: to the row itself, and to the rows that belong to it, removed ones
 * among them, as far as the person may list them.
 * @throws row.notFound when the row is not there for this person
 */
export async function readWorkspaceHistory(
  read: Read,
  one: Workspace,
  query: Query,
): Promise<Page<Wire<typeof workspaceEntryShape>>> {
  const { app, person, resource } = read
  const page = one.pages.find((other): other is HistoryPage => 'history' in other)
  if (!page) throw new Error(`The workspace of ${one.name} tells of no changes.`)
  const id = await rowOf(read, query)
  const place = placeOf(query)
  const others = belongings(page, one, person)
  const rows = [{ resource, where: sql`t.id = ${id}::bigint` }].concat(
    others.map(other => ({
      resource: other.resource,
      where: sql`${sql.raw(`t.${ident(other.by)}`)} = ${id}::bigint AND ${limitsOf(app, person, other.resource, app.now())}`,
    })),
  )
  // Joined list by list: of a list with many rows few have changed, and those are found from their entries.
  const found = rows.map(
    ({ resource: { entity }, where }) =>
      sql`SELECT h.*, t.${sql.raw(ident(entity.label))}::text AS label FROM history h
        JOIN ${sql.raw(ident(tableOf(entity.name)))} t ON t.id = h."rowId" WHERE h.entity = ${entity.name} AND ${where}`,
  )
  // Rows refer to a row of their own tenant, and this one is the person's to meet.
  const { rows: entries } = await app.pool.query<Entry & { label: string | null; total: string }>(
    statement(sql`SELECT r.*, count(*) OVER () AS total FROM (${join(found, ' UNION ALL ')}) r
      ORDER BY r.id DESC LIMIT ${place.size} OFFSET ${place.offset}`),
  )
  const byEntity = new Map(rows.map(other => [other.resource.entity.name, other.resource]))
  const told = await toldOf(read, entries, ({ entity }) => byEntity.get(entity) ?? resource)
  const records = told.map((entry, i) => {
    const { entity = '', rowId = '', label } = entries[i] ?? {}
    const { name, title } = byEntity.get(entity) ?? resource
    return { ...entry, resource: name, title, rowId, label: label ?? '' }
  })
  return pageOf(records, Number(entries[0]?.total ?? 0), place)
}

/** Which part of the changes is asked for. */
const placeOf = ({ current, size }: Query) => partOf({ current: Number(current) || 1, size: Number(size) || 0 })
