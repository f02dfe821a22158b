import { type Kysely, sql } from 'kysely'
import type { Tables } from '#schemas'
import { type NewSms, SmsError } from '../channels/sms/channel.ts'
import type { SentMessage, SmsLedger } from '../channels/sms/ledger.ts'
import { segmentsOf } from '../domain/sms-text.ts'
import { readParam } from './param.ts'
import './sms-tables.ts'
import type { InternalTables } from './tables.ts'

/** The settings whose account is charged. */
interface Account {
  smsId: string
  tenantId: string
}

/** What the ledger works with. */
export interface LedgerAround {
  db: Kysely<Tables & InternalTables>
  vault: { seal(text: string): string; open(sealed: string): string }
  now: () => Date
  /** Told when the day's money is spent. */
  alarm(tenantId: string, most: number): void
}

/** Unless parameters say otherwise: what a tenant spends on messages in a day, and what one costs, in fen. */
const preset = { 'sms.dailyFen': 200_000, 'sms.unitFen': 5 } as const
/** Receipts asked for at a time, and for how long they are waited for, in milliseconds. */
const receipts = { atOnce: 50, days: 3 * 86_400_000 }

const startOfDay = (now: Date): Date =>
  new Date(Math.floor((now.getTime() + 28_800_000) / 86_400_000) * 86_400_000 - 28_800_000)

async function amount(db: LedgerAround['db'], tenantId: string, key: keyof typeof preset): Promise<number> {
  const value = Number((await readParam(db, tenantId, key)) ?? preset[key])
  return Number.isFinite(value) && value >= 0 ? value : preset[key]
}

/** How many messages a tenant may send in a day. */
async function mostOf(db: LedgerAround['db'], tenantId: string): Promise<number> {
  const [money, unit] = [await amount(db, tenantId, 'sms.dailyFen'), await amount(db, tenantId, 'sms.unitFen')]
  return unit === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(money / unit)
}

/** Writes a message down unless it stands there or the day's money is spent. @returns whether it did, in one statement */
async function insert(
  { db, vault, now: clock }: LedgerAround,
  { smsId, tenantId }: Account,
  message: NewSms,
  most: number,
) {
  const now = clock()
  const segments = segmentsOf(message.content)
  const { numAffectedRows } = await sql`
    INSERT INTO sms_sent (id, "smsId", "tenantId", phone, segments, "time")
    SELECT ${message.id}, ${smsId}, ${tenantId}, ${vault.seal(message.phone)}, ${segments}::int, ${now}
    WHERE ${segments}::int + (SELECT coalesce(sum(segments), 0) FROM sms_sent
      WHERE "tenantId" = ${tenantId} AND "time" >= ${startOfDay(now)}) <= ${most}
    ON CONFLICT DO NOTHING`.execute(db)
  return numAffectedRows === 1n
}

/** The ledger of one account, kept in the database. */
export function smsLedger(around: LedgerAround, account: Account): SmsLedger {
  const { db, vault, now } = around
  const sentOf = ({ id, phone, bizNo, time }: SentMessage): SentMessage => ({
    id,
    phone: vault.open(phone),
    bizNo,
    time,
  })
  const find = async (id: string) => {
    const row = await db.selectFrom('sms_sent').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? sentOf(row) : null
  }
  return {
    find,
    async begin(message) {
      const most = await mostOf(db, account.tenantId)
      if (await insert(around, account, message, most)) return null
      const before = await find(message.id)
      if (before) return before
      around.alarm(account.tenantId, most)
      throw new SmsError('今日短信费用已达上限', true)
    },
    async done(id, bizNo) {
      await db.updateTable('sms_sent').set({ bizNo }).where('id', '=', id).execute()
    },
    async forget(id) {
      await db.deleteFrom('sms_sent').where('id', '=', id).execute()
    },
    async waiting() {
      const time = now()
      const due = db
        .selectFrom('sms_sent')
        .select('id')
        .where('smsId', '=', account.smsId)
        .where('told', '=', false)
        .where('bizNo', 'is not', null)
        .where('time', '>', new Date(time.getTime() - receipts.days))
        .orderBy('asked', order => order.asc().nullsFirst())
        .limit(receipts.atOnce)
      const rows = await db.updateTable('sms_sent').set({ asked: time }).where('id', 'in', due).returningAll().execute()
      return rows.map(sentOf)
    },
    async told(id) {
      await db.updateTable('sms_sent').set({ told: true }).where('id', '=', id).execute()
    },
  }
}
