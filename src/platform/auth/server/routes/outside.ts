import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { person } from '../../../http/server/access.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { Refusal } from '../../../http/server/refusal.ts'
import { sent, serve } from '../../../http/server/serve.ts'
import { beginLink, finishLink, outsideLinks, outsideSources, signInOutside, unlinkOutside } from '../../contract.ts'
import { browserKeyName, browserKeyOf, ownOrigin } from '../own-origin.ts'
import { confirmPassword, type SentPassword } from '../second-password.ts'
import { depart, type Leaving, stateSeconds } from '../social-flow.ts'
import { linkOwn, ownLinks, unlinkOwn } from '../social-link.ts'
import { enabledSources } from '../social-source.ts'

const path = '/api/blade-auth/oauth'

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
  const leave = (request: FastifyRequest, source: string, tenantId: string, userId: string | null) =>
    depart(app, { tenantId, userId, source, origin: ownOrigin(request), ip: request.ip })

  serve(app, outsideSources, ({ request }) => enabledSources(app, askedTenant(request)))

  serve(app, signInOutside, async ({ values, request, reply }) => {
    const source = String(values.source)
    try {
      const leaving = await leave(request, source, askedTenant(request), null)
      keepKey(request, reply, leaving)
      return sent(reply.header('cache-control', 'no-store').redirect(leaving.address, 302))
    } catch (error) {
      // A person is looking at this answer: the page says it in words.
      if (!(error instanceof Refusal)) throw error
      return sent(reply.redirect(`/oauth/redirect/${encodeURIComponent(source)}?error=${error.code}`, 302))
    }
  })

  serve(app, outsideLinks, ({ request }) => ownLinks(app, person(request)))

  serve(app, beginLink, async ({ values, request, reply }) => {
    const me = person(request)
    // Who links an identity can sign in with it ever after.
    await confirmPassword(app, me, (request.body as SentPassword | undefined) ?? {})
    const leaving = await leave(request, String(values.source), me.tenantId, me.userId)
    keepKey(request, reply, leaving)
    return { address: leaving.address }
  })

  serve(app, finishLink, async ({ request }) => {
    const body = request.body as Record<'source' | 'code' | 'state' | 'iss', string | undefined> | undefined
    const { source = '', code = '', state = '', iss } = body ?? {}
    const given = { source: String(source), code: String(code), state: String(state), iss, ip: request.ip }
    await linkOwn(app, person(request), { ...given, browserKey: browserKeyOf(request, given.state) })
  })

  serve(app, unlinkOutside, ({ values, request }) => unlinkOwn(app, person(request), String(values.source)))
}
