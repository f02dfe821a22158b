import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { countUp } from '../../database/throttle.ts'
import { type Meter, timedCalls } from '../../metrics/meter.ts'
import { aliyunSms } from './aliyun/aliyun.ts'
import { type SmsChannel, SmsError } from './channel.ts'
import { missingSms } from './missing.ts'
import { sandboxSms } from './sandbox/outbox.ts'
import sandbox, { smsSandboxPath } from './sandbox/plugin.ts'
import { smsLedger } from './sms-ledger.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** The way out for text messages. */
    sms: SmsChannel
  }
}

/** Key of Aliyun in dictionary `sms`. */
const aliyun = 3

/** Tells once a day that a tenant's money for messages is spent. */
async function alarm(app: FastifyInstance, tenantId: string, most: number): Promise<void> {
  if ((await countUp(app.db, `sms:spent:${tenantId}`, 86_400, app.now())) > 1) return
  app.log.error({ tenantId, most }, 'the money for text messages of a day is spent')
  app.journal.note('error', 'sms.dailyFen', { tenantId, most })
}

/** The channel a row of the settings stands for. Read each time: keys that are changed count at once, in every process. */
async function channelOf(app: FastifyInstance, smsId: string): Promise<SmsChannel> {
  const row = await app.db.selectFrom('sms').selectAll().where('id', '=', smsId).executeTakeFirst()
  if (row?.category !== aliyun) return missingSms
  if (!row.accessKey || !row.secretKey) throw new SmsError('短信配置缺少secretKey', true)
  const { db, vault, now } = app
  const account = { accessKey: vault.open(row.accessKey), secretKey: vault.open(row.secretKey) }
  const told = (tenantId: string, most: number) => void alarm(app, tenantId, most).catch(err => app.log.error({ err }))
  return aliyunSms(account, smsLedger({ db, vault, now, alarm: told }, { smsId, tenantId: row.tenantId }), now)
}

/** The channels of all settings as one. */
const realSms = (app: FastifyInstance): SmsChannel => ({
  send: async message => (await channelOf(app, message.smsId)).send(message),
  async query(id) {
    const sent = await app.db.selectFrom('sms_sent').select('smsId').where('id', '=', id).executeTakeFirst()
    return sent ? (await channelOf(app, sent.smsId)).query(id) : 'unknown'
  },
  async receipts() {
    const used = app.db.selectFrom('sms_sent').select('smsId').distinct().where('told', '=', false)
    const told = []
    for (const { smsId } of await used.execute()) told.push(...(await (await channelOf(app, smsId)).receipts()))
    return told
  },
})

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
        meter.count('sms_total', { outcome: error instanceof SmsError && error.final ? 'refused' : 'failed' })
        throw error
      }
    },
    query: id => sms.query(id),
    receipts: () => sms.receipts(),
  }
}

/** Decorates the app with its channel for text messages: the sandbox in demo mode, which it opens. */
export default fp(
  async app => {
    const { pool, vault, now, config } = app
    app.decorate('sms', measured(app.meter, config.demo ? sandboxSms(pool, vault, now) : realSms(app)))
    if (config.demo) await app.register(sandbox, { pool, vault, prefix: smsSandboxPath })
  },
  { name: 'sms channel', dependencies: ['database', 'vault', 'body', 'journal'] },
)
