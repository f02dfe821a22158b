import type { FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Access, Person } from '../access.ts'
import { Refusal } from '../domain/refusal.ts'

/** True when a person may call what asks for `access`. */
function mayCall(access: Access, person: Person): boolean {
  if (access === 'public' || access === 'signed-in') return true
  if (access === 'staff') return person.isStaff
  if (access === 'candidate') return person.userType === 2
  const wanted = typeof access.permission === 'string' ? [access.permission] : access.permission
  return wanted.some(code => person.permissions.has(code))
}

function guard(request: FastifyRequest): void {
  if (request.is404) return
  const { access } = request.routeOptions.config
  if (access === 'public') return
  if (!request.person) throw new Refusal(401, 401, '请求未授权')
  if (!access || !mayCall(access, request.person)) {
    request.log.warn({ userId: request.person.userId, route: request.routeOptions.url }, 'access denied')
    throw new Refusal(403, 403, '没有访问权限')
  }
}

/**
 * Denies by default: a route that does not say who may call it stops the start, and every call is checked against what
 * its route says. The credential is the token header alone; cookies are never looked at.
 */
export default fp(
  async app => {
    const routes: RouteOptions[] = []
    if (!app.hasRequestDecorator('person')) app.decorateRequest('person', null)
    app.addHook('onRoute', route => {
      routes.push(route)
    })
    app.addHook('onReady', async () => {
      const open = routes.filter(route => !route.config?.access)
      if (open.length === 0) return
      const names = open.map(({ method, url }) => `${[method].flat().join('|')} ${url}`)
      throw new Error(`These routes do not say who may call them (config.access): ${names.join(', ')}`)
    })
    app.addHook('onRequest', async request => guard(request))
  },
  { name: 'permissions' },
)
