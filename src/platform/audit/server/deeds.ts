import { deedLabel, type Resource, readCall } from '#engine'
import { resources } from '#resources'
import type { auditlog } from '#resources/audit/auditlog'
import { auditEvent } from '#schemas/dictionaries'
import { type AnyAction, byAddress, isMeant } from '../../../crud/action.ts'
import { findResource } from '../../../crud/lookup.ts'
import { namesOf } from '../../../crud/row-names.ts'
import type { Derive, ReadContext, Values } from '../../../crud/rules.ts'

/** What a call of a resource does, by the values it carries. */
type Told = (params: Values) => string

interface Deed {
  readonly resource: Resource
  readonly told: Told
}

const labelled = (resource: Resource, actions: readonly (readonly [string, AnyAction])[]): Told => {
  const [[usual] = ['']] = actions
  return params => deedLabel(resource, actions.find(([, action]) => isMeant(action, params))?.[0] ?? usual)
}

/** What each call of the resources does, by `POST /api/blade-system/param/submit`. */
const deeds: ReadonlyMap<string, Deed> = new Map(
  resources.flatMap(resource => {
    const { calls, path } = resource
    const at = (address: string, told: Told) =>
      [`${address.replace(' ', ` /api${path}/`)}`, { resource, told }] as const
    const of = (call: string, told: Told) => {
      const { method, path: last } = readCall(call as 'GET page')
      return at(`${method} ${last}`, told)
    }
    const always =
      (ability: string): Told =>
      () =>
        deedLabel(resource, ability)
    return [
      of(calls.list, always('view')),
      of(calls.detail, always('view')),
      of(calls.submit, ({ id }) => deedLabel(resource, id ? 'edit' : 'add')),
      of(calls.remove, always('remove')),
      at('GET export', always('export')),
      at('POST import', always('import')),
      ...[...byAddress(resource)].map(([address, actions]) => at(address, labelled(resource, actions))),
    ]
  }),
)

/** Events whose entry says no more of what was done than they do. */
const plainEvents: readonly unknown[] = ['denied', 'alarm', 'purge', 'login', 'loginFail', 'logout']

/** Names of rows that are told of one entry at most. */
const most = 3

/** What the call of an entry was, as far as its content is still there. */
interface Call {
  readonly id: string
  readonly call: string | null
  readonly params: Values | null
}

const callsOf = async ({ app }: ReadContext, rows: readonly Values[]): Promise<ReadonlyMap<string, Call>> => {
  const { rows: found } = await app.pool.query<Call>(
    `SELECT id::text, detail ->> 'call' AS call, CASE jsonb_typeof(detail -> 'params') WHEN 'object' THEN detail -> 'params' END AS params
     FROM auditlog WHERE id = ANY($1::bigint[])`,
    [rows.map(row => row.id)],
  )
  return new Map(found.map(one => [one.id, one]))
}

interface Entry {
  readonly act: string
  readonly resource: Resource | undefined
  readonly ids: readonly string[]
}

function entryOf(row: Values, { call, params }: Partial<Call>): Entry {
  const known = plainEvents.includes(row.event) ? undefined : deeds.get(call ?? '')
  const event = auditEvent.entries[row.event as keyof typeof auditEvent.entries]
  const ids = String(row.targetId ?? '').split(',')
  return {
    act: known?.told(params ?? {}) ?? event ?? String(row.event),
    resource: known?.resource ?? findResource(String(row.targetType)),
    ids: [...new Set(ids.filter(id => /^\d{1,19}$/.test(id)))],
  }
}

/** What each entry of the security log is about, in words: what was done, to rows of which list, and what these are called. */
export const deriveDeeds: Derive<typeof auditlog> = async (ctx, rows) => {
  const calls = await callsOf(ctx, rows)
  const entries = rows.map(row => entryOf(row, calls.get(String(row.id)) ?? {}))
  const found = new Map<Resource, ReadonlyMap<string, string>>()
  for (const resource of new Set(entries.flatMap(one => (one.resource && one.ids.length > 0 ? [one.resource] : [])))) {
    const ids = entries.filter(one => one.resource === resource).flatMap(one => one.ids.slice(0, most))
    found.set(resource, await namesOf(ctx, resource, [...new Set(ids)]))
  }
  return entries.map(({ act, resource, ids }) => ({
    act,
    targetTitle: resource?.title ?? '',
    targetName: ids
      .slice(0, most)
      .flatMap(id => (resource && found.get(resource)?.get(id)) || [])
      .join('、'),
    targetNum: ids.length,
  }))
}
