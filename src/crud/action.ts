import type { FastifyRequest } from 'fastify'
import {
  type Action,
  type Condition,
  type Entity,
  type Field,
  type Fields,
  type Resource,
  readCall,
  tableOf,
} from '#engine'
import { person } from '../platform/http/server/access.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { examsOf, refuseArchived } from './archived.ts'
import { checkLinks } from './checks.ts'
import { conditionSql } from './condition.ts'
import { type Cell, encode, settings } from './encode.ts'
import { expression, type Fragment, ident, join, q, raw } from './fragment.ts'
import { readIds, readInput, type Values, wrongInput } from './input.ts'
import type { Handler, Rules } from './rules.ts'
import { byKey, inWrite } from './store.ts'

/** An action without the type of its entity. */
export type AnyAction = Omit<Action<unknown>, 'when' | 'input' | 'second'> & {
  readonly when?: Condition
  readonly input?: readonly string[]
  readonly second?: string
  readonly set?: Readonly<Record<string, unknown>>
}

/** The actions of a resource by name. */
export const actionsOf = (resource: Resource): Readonly<Record<string, AnyAction>> =>
  resource.actions as Readonly<Record<string, AnyAction>>

/** The handler written for an action. */
export const handlerOf = (rules: Rules, resource: Resource, name: string): Handler | undefined =>
  rules[resource.name]?.handlers[name]

/** The fields an action asks for: the entity's own as far as it names them, and its further ones. */
export function inputFields(resource: Resource, action: AnyAction): Fields {
  const own = (action.input ?? []).map(name => {
    const { filled: _, ...field } = resource.entity.properties[name] as Field
    return [name, field] as const
  })
  return { ...Object.fromEntries(own), ...action.ask }
}

/** Everything a call carries, in the address or in the body; the address wins. */
const given = (request: FastifyRequest): Values => ({
  ...(typeof request.body === 'object' ? (request.body as Values) : {}),
  ...(request.query as Values),
})

function readValues(resource: Resource, name: string, action: AnyAction, source: Values): Values {
  const properties = inputFields(resource, action)
  const names = Object.keys(properties)
  if (names.length === 0) return {}
  const required = names.filter(field => !properties[field]?.optional)
  const entity: Entity = { ...resource.entity, name: `${resource.name} ${name}`, properties, required }
  const { values, problems } = readInput(entity, source, 'add')
  if (problems.length > 0) throw wrongInput(problems)
  return values
}

/** The ids an action is called with, read from the parameter its call names. */
function idsOf(action: AnyAction, source: Values): string[] {
  const { params } = readCall(action.call)
  const key = params.find(name => /^(id|ids|userIds)$/.test(name))
  return key ? readIds(source[key], key) : []
}

/** Runs an action by its handler. */
export async function handle(request: FastifyRequest, resource: Resource, name: string, by: Handler): Promise<unknown> {
  const action = actionsOf(resource)[name] as AnyAction
  const source = given(request)
  const app = request.server
  const fixed = { app, person: person(request), now: app.now(), request, resource, action: name }
  const ids = idsOf(action, source)
  const values = readValues(resource, name, action, source)
  await refuseFirstPerson(request, resource, action, ids)
  return by({ ...fixed, ids, id: ids[0] ?? '', values })
}

/** An action for a second person is not for the first. @throws row.sameApprover */
async function refuseFirstPerson(
  request: FastifyRequest,
  resource: Resource,
  action: AnyAction,
  ids: readonly string[],
) {
  if (!action.second || ids.length === 0) return
  const first = q`SELECT 1 FROM ${raw(ident(tableOf(resource.entity.name)))} t
    WHERE ${byKey(resource, [...ids])} AND t.${raw(ident(action.second))} = ${person(request).userId} LIMIT 1`
  if ((await expression(first).execute(request.server.db)).rows.length > 0) throw refuse('row.sameApprover')
}

const word = (value: unknown, now: Date, caller: string) =>
  value === '$now' ? now : value === '$caller' ? caller : value

/** That a row holds already what an action writes, apart from the time at which it was written. */
function sameAs(action: AnyAction, cells: readonly Cell[]): Fragment {
  const lasting = cells.filter(({ column }) => action.set?.[column] !== '$now')
  const equal = lasting.map(({ column, value, isJson }) =>
    isJson
      ? q`t.${raw(ident(column))} IS NOT DISTINCT FROM ${value}::jsonb`
      : q`t.${raw(ident(column))} IS NOT DISTINCT FROM ${value}`,
  )
  return equal.length > 0 ? join(equal, ' AND ') : raw('false')
}

/**
 * Runs an action whose change is data: one statement decides and changes, so that two callers can never both win.
 * @returns how many rows were changed of how many asked for; none when the caller has done just this before
 * @throws row.notFound when a row is not there for the caller, the action's refusal when none meets its condition
 */
export function change(request: FastifyRequest, resource: Resource, name: string) {
  const action = actionsOf(resource)[name] as AnyAction
  const source = given(request)
  const ids = idsOf(action, source)
  const inputs = readValues(resource, name, action, source)
  return inWrite(request, resource, async ({ trx, table, scope, now, person: caller, app }) => {
    const { entity } = resource
    const missing = await checkLinks(trx, entity, { person: caller, now }, inputs)
    if (missing.length > 0) throw wrongInput(missing)
    const fixed = Object.entries(action.set ?? {}).map(([field, value]) => [field, word(value, now, caller.userId)])
    const values = { ...inputs, ...Object.fromEntries(fixed) }
    const cells = await encode({ ...entity, properties: { ...statusField, ...entity.properties } }, values, {
      vault: app.vault,
      tenantId: caller.tenantId,
    })
    const sets = settings(cells)
    sets.push(q`"updateUser" = ${caller.userId}`, q`"updateTime" = ${now}`)
    if (entity.version) sets.push(raw('version = t.version + 1'))
    const these = q`${byKey(resource, ids)} AND ${scope}`
    const builtIn = resource.sealed ? q`AND NOT (${conditionSql(resource.sealed)})` : raw('')
    const done = await expression(
      q`UPDATE ${table} t SET ${join(sets, ', ')} WHERE ${these} AND ${conditionSql(action.when)} ${builtIn} RETURNING t.*`,
    ).execute(trx)
    await refuseArchived(trx, examsOf(resource, done.rows as Values[]))
    const changed = done.rows.length
    if (changed > 0) return { changed, total: ids.length }
    const there = await expression<{ same: boolean }>(
      q`SELECT t."updateUser" = ${caller.userId} AND ${sameAs(action, cells)} AS same FROM ${table} t WHERE ${these}`,
    ).execute(trx)
    if (there.rows.length > 0 && there.rows.every(row => row.same)) return { changed: 0, total: ids.length }
    throw there.rows.length === 0 ? refuse('row.notFound') : refuse(action.refusal ?? 'row.wrongState')
  })
}

/** The base column that an action may move without the entity naming it. */
const statusField: Fields = { status: { kind: 'integer', title: '状态', type: 'integer' } }
