import type { FastifyInstance } from 'fastify'
import { person } from '../../../http/server/access.ts'
import { sent, serve } from '../../../http/server/serve.ts'
import { authorization, authorize, decideAuthorization } from '../../contract.ts'
import { allow, denied } from '../oauth-code.ts'
import { type Asked, readWish } from '../oauth-wish.ts'

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

/** People who are signed in let another program act for them, or do not. */
export default async function authorizeRoutes(app: FastifyInstance): Promise<void> {
  // Programs send the browser here; who is in front of it, only the page knows.
  serve(app, authorize, async ({ request, reply }) => {
    const query = new URLSearchParams(Object.entries(askedIn(request.query)))
    return sent(reply.redirect(`/oauth/authorize?${query}`, 302))
  })

  serve(app, authorization, async ({ request }) => {
    const { clientId, redirectUri, scope } = await readWish(app, askedIn(request.query))
    return { clientId, scope, host: new URL(redirectUri).host }
  })

  serve(app, decideAuthorization, async ({ request }) => {
    const wish = await readWish(app, askedIn(request.body))
    const isAllowed = (request.body as { approved?: unknown }).approved === true
    return { address: isAllowed ? await allow(app, person(request), wish) : denied(wish) }
  })
}
