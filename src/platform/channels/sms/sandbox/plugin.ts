import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Pool } from 'pg'
import type { Hasher } from '../channel.ts'
import { inbox } from './outbox.ts'
import { inboxPage, inboxStyle } from './page.ts'

/** The path of the sandbox on this server. */
export const smsSandboxPath = '/sandbox/sms'

/** What the sandbox needs around it. */
export interface SmsSandboxOptions {
  pool: Pool
  vault: Hasher
}

const open = { config: { access: 'public' as const } }

/**
 * The phone of the demo: whoever types a number reads its messages. Register it in demo mode only. The number is sent
 * in a form, so that it stands in no address and no log.
 */
export default async function smsSandbox(app: FastifyInstance, { pool, vault }: SmsSandboxOptions): Promise<void> {
  app.get('/inbox.css', open, async (_request, reply) => reply.type('text/css; charset=utf-8').send(inboxStyle))
  app.get('/', open, async (_request, reply) =>
    reply.type('text/html; charset=utf-8').send(inboxPage(smsSandboxPath, '', [])),
  )
  app.post('/', open, async (request: FastifyRequest, reply) => {
    const given = String((request.body as { phone?: unknown } | undefined)?.phone ?? '')
    const phone = /^1[3-9]\d{9}$/.test(given) ? given : ''
    const page = inboxPage(smsSandboxPath, phone, phone ? await inbox(pool, vault, phone) : [])
    return reply.type('text/html; charset=utf-8').header('Cache-Control', 'no-store').send(page)
  })
}
