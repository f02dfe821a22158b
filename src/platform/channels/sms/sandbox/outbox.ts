import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { accountById, accountsOf } from '../accounts.ts'
import { type Hasher, type NewSms, type SmsChannel, SmsError } from '../channel.ts'
import { contentOf } from '../sms-text.ts'

/** A message as the sandbox shows it. */
export interface OutboxMessage {
  content: string
  time: Date
}

/** Numbers that end like this cannot be reached, so that failures can be tried out. */
const unreachable = /0000$/
/** One set of hashes for the whole sandbox: a phone belongs to no tenant. */
const nobody = 'sms-sandbox'

/**
 * A provider of our own: what it sends is kept in the table `sms_outbox`, where the person with the number reads it. It stands for every
 * account that is in use.
 */
export function sandboxSms(app: Pick<FastifyInstance, 'db' | 'pool' | 'vault' | 'now'>): SmsChannel {
  const { pool, vault, now } = app
  return {
    async send({ id, phone, params, ...message }: NewSms) {
      const row = message.smsId ? await accountById(app, message.smsId) : (await accountsOf(app, message))[0]
      if (row?.tenantId !== message.tenantId) throw new SmsError('未配置短信通道', 'settings')
      if (unreachable.test(phone)) throw new SmsError('空号', 'final')
      await pool.query(
        'INSERT INTO sms_outbox (id, "phoneHash", content, time) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [id, vault.hash(nobody, phone), contentOf(row, params), now()],
      )
      return { bizNo: `SANDBOX${id}` }
    },
    async query(id) {
      const { rowCount } = await pool.query('SELECT 1 FROM sms_outbox WHERE id = $1', [id])
      return rowCount ? 'taken' : 'never'
    },
    pull: async () => 0,
  }
}

/** The last messages to a number, newest first. */
export async function inbox(pool: Pool, vault: Hasher, phone: string): Promise<OutboxMessage[]> {
  const { rows } = await pool.query<OutboxMessage>(
    'SELECT content, time FROM sms_outbox WHERE "phoneHash" = $1 ORDER BY time DESC, id DESC LIMIT 20',
    [vault.hash(nobody, phone)],
  )
  return rows
}
