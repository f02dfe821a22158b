import { sql } from 'kysely'
import { deedLabel, type Entity, type Field, type historyEntryShape, tableOf, type Wire } from '#engine'
import { entities } from '#schemas'
import type { Reader } from '../platform/database/database.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { wireTime } from '../platform/http/server/wire.ts'
import { badParameter } from './filter.ts'
import { ident } from './fragment.ts'
import { isTold } from './history.ts'
import { byKey } from './key.ts'
import type { Query, Read } from './read.ts'
import { scopeOf } from './scope.ts'

/** Entries that are shown of one row: the newest. */
const mostEntries = 200

const byName = new Map<string, Entity>(entities.map(one => [one.name, one]))

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
    const entity = byName.get(name)
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

/**
 * What has been done to one row, the newest first: at most 200 entries.
 * @throws row.notFound when the row is not there for this person
 */
export async function readHistory(
  { app, person, resource }: Read,
  query: Query,
): Promise<Wire<typeof historyEntryShape>[]> {
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
  const entries = await app.db
    .selectFrom('history')
    .selectAll()
    .where('entity', '=', entity.name)
    .where('rowId', '=', row.id)
    .where('tenantId', '=', person.tenantId)
    .orderBy('id', 'desc')
    .limit(mostEntries)
    .execute()
  const named = entries.flatMap(({ changes, userId }) => [
    ...(userId ? [['user', userId] as const] : []),
    ...Object.entries(changes).flatMap(([name, values]) => {
      const field = entity.properties[name]
      if (!field?.ref) return []
      return values.flatMap(value => idsOf(field, value).map(id => [field.ref as string, id] as const))
    }),
  ])
  const labels = await labelsOf(app.db, named)
  const nameOf = (field: Field, value: unknown) =>
    idsOf(field, value)
      .map(id => labels.get(`${field.ref} ${id}`) ?? id)
      .join(',')
  return entries.map(({ id, act, reason, userId, time, changes }) => ({
    id,
    act,
    actName: deedLabel(resource, act),
    reason: reason ?? '',
    userId: userId ?? '',
    userName: labels.get(`user ${userId}`) ?? '',
    time: wireTime(time),
    changes: Object.entries(entity.properties).flatMap(([name, field]) => {
      const [from, to] = changes[name] ?? []
      if (!(name in changes) || !isTold(field)) return []
      const names = { fromName: nameOf(field, from), toName: nameOf(field, to) }
      return [{ field: name, from: from ?? '', to: to ?? '', ...names }]
    }),
  }))
}
