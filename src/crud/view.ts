import type { FastifyRequest } from 'fastify'
import { type Resource, standInsOf, type View } from '#engine'
import { views } from '#resources'
import { type Person, person, type Viewed } from '../platform/http/server/access.ts'
import { refuse } from '../platform/http/server/refusal.ts'

/** The views of a resource. */
export const viewsOf = ({ name }: Pick<Resource, 'name'>): readonly View[] => byResource[name] ?? []

const byResource: Readonly<Record<string, readonly View[]>> = Object.fromEntries(
  views.map(({ view: { of } }) => [of, views.filter(one => one.view.of === of)]),
)

const standIns = views.flatMap(one =>
  standInsOf(one).map(({ whole, code }) => ({ whole, code, resource: one.view.of, view: one.view.name })),
)

/**
 * Somebody as a call that wants one of some permissions lets them in: as they are where they hold one, limited to the rows of the
 * views by whose permission they come otherwise; null for whoever has neither.
 */
export function admitted(caller: Person, codes: readonly string[]): Person | null {
  if (codes.some(code => caller.permissions.has(code))) return caller
  const found = standIns.filter(({ whole, code }) => codes.includes(whole) && caller.permissions.has(code))
  if (found.length === 0) return null
  const viewed: Viewed[] = found.map(({ resource, view }) => ({ resource, view }))
  return { ...caller, viewed, permissions: new Set([...caller.permissions, ...found.map(({ whole }) => whole)]) }
}

/**
 * Lets the caller of a route go on who holds a permission, or that of a view: then with the view's rows alone.
 * @throws request.forbidden
 */
export function admit(request: FastifyRequest, codes: readonly string[]): void {
  const caller = admitted(person(request), codes)
  if (!caller) throw refuse('request.forbidden')
  request.person = caller
}

/** The screen that a list call asks for with `view`: the resource itself without it. Undefined for a view there is not. */
export const screenOf = (resource: Resource, name: string | undefined): Resource | undefined =>
  name ? viewsOf(resource).find(one => one.view.name === name) : resource
