import type { FastifyInstance, FastifyRequest } from 'fastify'
import { person } from '../../../http/server/access.ts'
import { ok } from '../../../http/server/envelope.ts'
import { allow, denied } from '../oauth-code.ts'
import { type Asked, readWish } from '../oauth-wish.ts'

const path = '/api/blade-auth/oauth/authorize'

const names = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
] as const

/** What a program asks for, texts only. */
const askedIn = (source: unknown): Asked => {
  const given = (source ?? {}) as Record<string, unknown>
  return Object.fromEntries(names.flatMap(name => (typeof given[name] === 'string' ? [[name, given[name]]] : [])))
}

/** A signed-in person lets another program act for him, or does not. */
export default async function authorizeRoutes(app: FastifyInstance): Promise<void> {
  const signedIn = { config: { access: 'signed-in' } } as const

  // Programs send the browser here; who is in front of it, only the page knows.
  app.get(path, { config: { access: 'public' } }, async (request: FastifyRequest, reply) => {
    const query = new URLSearchParams(Object.entries(askedIn(request.query)))
    return reply.redirect(`/oauth/authorize?${query}`, 302)
  })

  app.get(`${path}/ask`, signedIn, async request => {
    const { clientId, redirectUri, scope } = await readWish(app, askedIn(request.query))
    return ok({ clientId, scope, host: new URL(redirectUri).host })
  })

  app.post(path, signedIn, async request => {
    const wish = await readWish(app, askedIn(request.body))
    const isAllowed = (request.body as { approved?: unknown }).approved === true
    return ok({ address: isAllowed ? await allow(app, person(request), wish) : denied(wish) })
  })
}
