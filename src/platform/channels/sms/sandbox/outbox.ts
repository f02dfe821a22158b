import type { FastifyInstance } from 'fastify'
import type { Pool } from 'pg'
import { accountById, accountsOf } from '../accounts.ts'
import { type Hasher, type NewSms, type SmsChannel, SmsError, SmsHeld } from '../channel.ts'
import { spendOf } from '../sms-budget.ts'
import { noteSandboxed } from '../sms-ledger.ts'
import { contentOf, segmentsOf } from '../sms-text.ts'

/** A message as the sandbox shows it. */
export interface OutboxMessage {
  content: string
  time: Date
}

/** Numbers that end like this cannot be reached, so that failures can be tried out. */
const unreachable = /0000$/
/** Of what goes to numbers that end like this nobody can tell, or its receipt comes late. */
const fates = { '9001': 'unknown', '9002': 'late' } as const
/** Milliseconds after which a receipt comes that is late. */
const lateness = 120_000

/** What is played of a message to a number; what had that fate before and goes once more arrives. */
function fateOf({ phone, doubtfulId }: Pick<NewSms, 'phone' | 'doubtfulId'>): 'unknown' | 'late' | null {
  const [, fate] = Object.entries(fates).find(([end]) => phone.endsWith(end)) ?? []
  return doubtfulId === undefined ? (fate ?? null) : null
}
/** One set of hashes for the whole sandbox: a phone belongs to no tenant. */
const nobody = 'sms-sandbox'

/**
 * A provider of our own: what it sends is kept in the table `sms_outbox`, where the person with the number reads it, and in the ledger
 * with what it would cost. It stands for every account that is in use.
 */
export function sandboxSms(app: Pick<FastifyInstance, 'db' | 'pool' | 'vault' | 'now'>): SmsChannel {
  const { db, vault, now } = app
  return {
    async send({ id, phone, params, budget, isSpare = false, doubtfulId, ...message }: NewSms) {
      const row = message.smsId ? await accountById(app, message.smsId) : (await accountsOf(app, message))[0]
      if (row?.tenantId !== message.tenantId) throw new SmsError('未配置短信通道', 'settings')
      if (unreachable.test(phone)) throw new SmsError('空号', 'final')
      const content = contentOf(row, params)
      const fate = fateOf({ phone, doubtfulId })
      const [segments, bizNo] = [segmentsOf(content), `SANDBOX${id}`]
      await db.transaction().execute(async trx => {
        const { numInsertedOrUpdatedRows } = await trx
          .insertInto('sms_outbox')
          .values({ id, phoneHash: vault.hash(nobody, phone), content, time: now(), fate })
          .onConflict(clash => clash.doNothing())
          .executeTakeFirstOrThrow()
        const isNew = numInsertedOrUpdatedRows === 1n
        if (isNew && budget && !(await spendOf(trx, budget, segments, isSpare))) throw new SmsHeld(now())
        if (isNew)
          await noteSandboxed(trx, app, row, { id, phone, segments, budget, bizNo: fate === 'unknown' ? null : bizNo })
      })
      if (fate) throw new SmsError('短信服务商没有应答', 'unknown')
      return { bizNo }
    },
    async query(id) {
      const row = await db.selectFrom('sms_outbox').select(['fate', 'time']).where('id', '=', id).executeTakeFirst()
      if (!row) return 'never'
      if (row.fate === 'unknown') return 'cannot'
      if (row.fate === null) return 'taken'
      if (now().getTime() - row.time.getTime() < lateness) throw new SmsError('短信服务商尚无回执', 'unknown')
      return 'arrived'
    },
    // It stands for the reserves, too.
    hasReserve: async message => (await accountsOf(app, message)).length > 0,
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
