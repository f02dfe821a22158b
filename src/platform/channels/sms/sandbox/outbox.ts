import type { Pool } from 'pg'
import { type Hasher, type NewSms, type SmsChannel, SmsError } from '../channel.ts'

/** A message as the sandbox shows it. */
export interface OutboxMessage {
  content: string
  time: Date
}

/** Numbers that end like this cannot be reached, so that failures can be tried out. */
const unreachable = /0000$/
/** One set of hashes for the whole sandbox: a phone belongs to no tenant. */
const nobody = 'sms-sandbox'

/** A provider of our own: what it sends is kept in the table `sms_outbox`, where the person with the number reads it. */
export function sandboxSms(pool: Pool, vault: Hasher, now: () => Date): SmsChannel {
  return {
    async send({ id, phone, content }: NewSms) {
      if (unreachable.test(phone)) throw new SmsError('空号', true)
      await pool.query(
        'INSERT INTO sms_outbox (id, "phoneHash", content, time) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING',
        [id, vault.hash(nobody, phone), content, now()],
      )
      return { bizNo: `SANDBOX${id}` }
    },
    async query(id) {
      const { rowCount } = await pool.query('SELECT 1 FROM sms_outbox WHERE id = $1', [id])
      return rowCount ? 'sent' : 'unknown'
    },
    receipts: async () => [],
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
