import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type Meter, timedCalls } from '../../metrics/meter.ts'
import { type SmsChannel, SmsError } from './channel.ts'
import { providerKinds } from './providers.ts'
import { realSms } from './real-sms.ts'
import receiptRoutes from './receipt-routes.ts'
import { sandboxSms } from './sandbox/outbox.ts'
import sandbox, { smsSandboxPath } from './sandbox/plugin.ts'
import { smsLedger } from './sms-ledger.ts'
import { tellTrouble } from './trouble.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out for text messages. */
    sms: SmsChannel
  }
}

function checkHosts(hosts: Readonly<Record<string, string>>): void {
  const known: readonly string[] = [...providerKinds().values()].map(kind => kind.key)
  const strange = Object.keys(hosts).find(key => !known.includes(key))
  if (strange) throw new Error(`SMS_HOSTS names ${strange}, which is none of ${known.join(', ')}.`)
}

function openReal(app: FastifyInstance): SmsChannel {
  const { db, vault, now } = app
  return realSms(
    app,
    smsLedger({
      db,
      vault,
      now,
      alarm: (account, { most, isSpare }) =>
        void tellTrouble(app, account, isSpare ? 'spareSpent' : 'spent', { most }).catch(err => app.log.error({ err })),
    }),
  )
}

/** A channel whose messages are counted and whose calls are timed. */
const measured = (meter: Meter, channel: SmsChannel): SmsChannel => {
  const sms = timedCalls(meter, 'sms', channel)
  return {
    async send(message) {
      try {
        const sent = await sms.send(message)
        meter.count('sms_total', { outcome: 'sent' })
        return sent
      } catch (error) {
        const isRefused = error instanceof SmsError && error.fault === 'final'
        meter.count('sms_total', { outcome: isRefused ? 'refused' : 'failed' })
        throw error
      }
    },
    query: id => sms.query(id),
    hasReserve: message => sms.hasReserve(message),
    pull: () => sms.pull(),
  }
}

/**
 * Decorates the app with its channel for text messages: the sandbox in demo mode, which it opens, unless it was said where providers
 * are.
 * @throws when that was said of a provider that does not exist
 */
export default fp(
  async app => {
    const { pool, vault, config } = app
    checkHosts(config.smsHosts)
    const isSandbox = config.demo && Object.keys(config.smsHosts).length === 0
    app.decorate('sms', measured(app.meter, isSandbox ? sandboxSms(app) : openReal(app)))
    await app.register(receiptRoutes)
    if (isSandbox) await app.register(sandbox, { pool, vault, prefix: smsSandboxPath })
  },
  { name: 'sms channel', dependencies: ['database', 'vault', 'body', 'journal'] },
)
