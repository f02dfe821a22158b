import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import {
  type Action,
  type Condition,
  type Entity,
  type Field,
  type Fields,
  namesRows,
  type Resource,
  readCall,
  tableOf,
} from '#engine'
import { person } from '../platform/http/server/access.ts'
import { liveAs } from '../platform/http/server/live.ts'
import { refuse } from '../platform/http/server/refusal.ts'
import { ident } from './fragment.ts'
import { readIds, readInput, type Values, wrongInput } from './input.ts'
import { byKey } from './key.ts'
import type { Rules, StoredHandler } from './rules.ts'

/** An action, or the button of a transition, without the type of its entity. */
export type AnyAction = Omit<Action<unknown>, 'when' | 'askWhen' | 'single' | 'input' | 'second'> & {
  readonly when?: Condition
  readonly askWhen?: Condition
  readonly input?: readonly string[]
  readonly second?: string
}

/** The actions and the buttons of transitions of a resource by name. */
export const actionsOf = (resource: Resource): Readonly<Record<string, AnyAction>> =>
  resource.actions as Readonly<Record<string, AnyAction>>

/** The actions of a resource by method and path: several of one address differ in the values that their calls fix. */
export function byAddress(resource: Resource): ReadonlyMap<string, readonly (readonly [string, AnyAction])[]> {
  const known = new Map<string, (readonly [string, AnyAction])[]>()
  for (const one of Object.entries(actionsOf(resource))) {
    const { method, path } = readCall(one[1].call)
    const address = `${method} ${path}`
    known.set(address, [...(known.get(address) ?? []), one])
  }
  return known
}

/** Whether a call carries the values that an action's call fixes. */
export const isMeant = ({ call }: AnyAction, source: Values): boolean =>
  Object.entries(readCall(call).fixed ?? {}).every(([name, value]) => String(source[name] ?? '').trim() === value)

/** The handler written for an action. */
export const handlerOf = (rules: Rules, resource: Resource, name: string): StoredHandler | undefined =>
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
export const givenOf = (request: FastifyRequest): Values => ({
  ...(typeof request.body === 'object' ? (request.body as Values) : {}),
  ...(request.query as Values),
})

/** The inputs of an action, read and checked. @throws input.invalid with what is wrong */
export function readValues(resource: Resource, name: string, action: AnyAction, source: Values): Values {
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
export function idsOf(action: AnyAction, source: Values): string[] {
  const { params } = readCall(action.call)
  const key = params.find(namesRows)
  return key ? readIds(source[key], key) : []
}

/** Runs an action by its handler. @returns what its definition says that it answers */
export async function handle(
  request: FastifyRequest,
  resource: Resource,
  name: string,
  by: StoredHandler,
): Promise<unknown> {
  const action = actionsOf(resource)[name] as AnyAction
  const source = givenOf(request)
  const app = request.server
  const caller = person(request)
  const fixed = { app, db: liveAs(app, caller), person: caller, now: app.now(), request, resource, action: name }
  const ids = idsOf(action, source)
  const values = readValues(resource, name, action, source)
  await refuseFirstPerson(request, resource, action, ids)
  return by({ ...fixed, ids, id: ids[0] ?? '', values })
}

/** An action for a second person is not for the first. @throws row.sameApprover */
export async function refuseFirstPerson(
  request: FastifyRequest,
  resource: Resource,
  action: AnyAction,
  ids: readonly string[],
) {
  if (!action.second || ids.length === 0) return
  const first = sql`SELECT 1 FROM ${sql.raw(ident(tableOf(resource.entity.name)))} t
    WHERE ${byKey(resource, [...ids])} AND t.${sql.raw(ident(action.second))} = ${person(request).userId} LIMIT 1`
  if ((await first.execute(request.server.db)).rows.length > 0) throw refuse('row.sameApprover')
}
