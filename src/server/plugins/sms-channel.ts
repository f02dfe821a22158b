import fp from 'fastify-plugin'
import type { SmsChannel } from '../channels/sms/channel.ts'
import { missingSms } from '../channels/sms/missing.ts'
import { sandboxSms } from '../channels/sms/sandbox/outbox.ts'
import sandbox, { smsSandboxPath } from '../channels/sms/sandbox/plugin.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out for text messages. */
    sms: SmsChannel
  }
}

/** Decorates the app with its channel for text messages: the sandbox in demo mode, which it opens. */
export default fp(
  async app => {
    const { pool, vault, now, config } = app
    app.decorate('sms', config.demo ? sandboxSms(pool, vault, now) : missingSms)
    if (config.demo) await app.register(sandbox, { pool, vault, prefix: smsSandboxPath })
  },
  { name: 'sms channel', dependencies: ['database', 'vault', 'body'] },
)
