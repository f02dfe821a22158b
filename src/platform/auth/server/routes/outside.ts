import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { ok } from '../../../http/server/envelope.ts'
import { Refusal } from '../../../http/server/refusal.ts'
import { browserKeyName, browserKeyOf, ownOrigin } from '../own-origin.ts'
import { confirmPassword, type SentPassword } from '../second-password.ts'
import { depart, type Leaving, stateSeconds } from '../social-flow.ts'
import { linkOwn, ownLinks, unlinkOwn } from '../social-link.ts'
import { enabledSources } from '../social-source.ts'

const path = '/api/blade-auth/oauth'

interface Named {
  Params: { source: string }
}

/**
 * Leaves with the browser what it must show when it comes back; no script reads it, and no other site sends it. Our own page
 * brings it back, so it may be as strict as can be.
 */
function keepKey(request: FastifyRequest, reply: FastifyReply, { state, browserKey }: Leaving): void {
  const isSecure = ownOrigin(request).startsWith('https:')
  reply.header(
    'set-cookie',
    `${browserKeyName(state)}=${browserKey}; Path=${path}; Max-Age=${stateSeconds}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`,
  )
}

/** Signing in at providers elsewhere, and linking what they say to one's own account. */
export default async function outsideRoutes(app: FastifyInstance): Promise<void> {
  const open = { config: { access: 'public' } } as const
  const signedIn = { config: { access: 'signed-in' } } as const
  const leave = (request: FastifyRequest<Named>, tenantId: string, userId: string | null) =>
    depart(app, {
      tenantId,
      userId,
      source: request.params.source,
      origin: ownOrigin(request),
      ip: request.ip,
    })

  app.get(`${path}/sources`, open, async request => ok(await enabledSources(app, askedTenant(request))))

  app.get<Named>(`${path}/render/:source`, open, async (request, reply) => {
    try {
      const leaving = await leave(request, askedTenant(request), null)
      keepKey(request, reply, leaving)
      return reply.header('cache-control', 'no-store').redirect(leaving.address, 302)
    } catch (error) {
      // A person is looking at this answer: the page says it in words.
      if (!(error instanceof Refusal)) throw error
      const { source } = request.params
      return reply.redirect(`/oauth/redirect/${encodeURIComponent(source)}?error=${error.code}`, 302)
    }
  })

  app.get(`${path}/bindings`, signedIn, async request => ok(await ownLinks(app, person(request))))

  app.post<Named & { Body: SentPassword | undefined }>(`${path}/bind/:source`, signedIn, async (request, reply) => {
    const me = person(request)
    // Who links an identity can sign in with it ever after.
    await confirmPassword(app, me, request.body ?? {})
    const leaving = await leave(request, me.tenantId, me.userId)
    keepKey(request, reply, leaving)
    return ok({ address: leaving.address })
  })

  app.post<{ Body: Record<'source' | 'code' | 'state' | 'iss', string | undefined> | undefined }>(
    `${path}/bind`,
    signedIn,
    async request => {
      const { source = '', code = '', state = '', iss } = request.body ?? {}
      const given = { source: String(source), code: String(code), state: String(state), iss, ip: request.ip }
      await linkOwn(app, person(request), { ...given, browserKey: browserKeyOf(request, given.state) })
      return ok()
    },
  )

  app.post<Named>(`${path}/unbind/:source`, signedIn, async request => {
    await unlinkOwn(app, person(request), request.params.source)
    return ok()
  })
}
