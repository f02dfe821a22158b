import type { FastifyContextConfig, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { UserType } from '#schemas/dictionaries'
import { admitted } from '../../../crud/view.ts'
import type { Access, Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'

/** A call of this server and who may make it. */
export interface RouteEntry {
  method: string
  url: string
  /** Missing only while the server is being built: it does not start with such a route. */
  access: Access | undefined
  /** Everything else the route says of the call. */
  config: FastifyContextConfig
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Every call, in the order of registration; complete when the server is ready. */
    routeTable: RouteEntry[]
  }
}

/** The person as what asks for `access` lets them in; null for whoever may not call it. */
function callerOf(access: Access, person: Person): Person | null {
  const isOpen =
    access === 'public' ||
    access === 'signed-in' ||
    (access === 'staff' && person.isStaff) ||
    (access === 'candidate' && person.userType === UserType.candidate)
  if (isOpen) return person
  if (typeof access === 'string') return null
  const wanted = [access.permission].flat()
  if (access.views) return admitted(person, wanted)
  return wanted.some(code => person.permissions.has(code)) ? person : null
}

/** A plugin may give its routes their mark after this one saw them, so it is read when asked for. */
const entriesOf = (route: RouteOptions): RouteEntry[] =>
  [route.method].flat().map(method => ({
    method,
    url: route.url,
    get access() {
      return route.config?.access
    },
    get config() {
      return route.config ?? {}
    },
  }))

/** Whether a call is kept for roles the person has none of: an API scope names it. */
const isClosed = (access: Access | undefined, { closedPaths }: Person, url = '') =>
  typeof access === 'object' && closedPaths?.has(url) === true

function guard(request: FastifyRequest): void {
  if (request.is404) return
  const { config, url } = request.routeOptions
  const { access } = config
  if (access === 'public') return
  if (!request.person) throw refuse('request.unauthenticated')
  const caller = access ? callerOf(access, request.person) : null
  if (!caller || isClosed(access, caller, url)) {
    request.log.warn({ userId: request.person.userId, route: url }, 'access denied')
    throw refuse('request.forbidden')
  }
  request.person = caller
}

/**
 * Denies by default: a route that does not say who may call it stops the start, and every call is checked against what
 * its route says. The credential is the token header alone; cookies are never looked at.
 */
export default fp(
  async app => {
    const routes: RouteEntry[] = []
    app.decorate('routeTable', routes)
    if (!app.hasRequestDecorator('person')) app.decorateRequest('person', null)
    app.addHook('onRoute', route => {
      routes.push(...entriesOf(route))
    })
    app.addHook('onReady', async () => {
      const open = routes.filter(route => !route.access)
      if (open.length === 0) return
      const names = open.map(({ method, url }) => `${method} ${url}`)
      throw new Error(`These routes do not say who may call them (config.access): ${names.join(', ')}`)
    })
    app.addHook('onRequest', async request => guard(request))
  },
  { name: 'permissions' },
)
