import { sql } from 'kysely'
import type { Reader, Trx } from '../../database/database.ts'
import { readNumberParam } from '../../database/param.ts'
import { type NewSms, SmsError } from './channel.ts'
import type { SentMessage, SmsLedger } from './ledger.ts'
import { segmentsOf } from './sms-text.ts'
import './sms-tables.ts'

/** The settings whose account is charged. */
interface Account {
  smsId: string
  tenantId: string
}

/** What the ledger works with. */
export interface LedgerAround {
  db: Reader
  vault: { seal(text: string): string; open(sealed: string): string }
  now: () => Date
  /** Told when the day's money is spent. */
  alarm(tenantId: string, most: number): void
}

/** Receipts asked for at a time, and for how long they are waited for, in milliseconds. */
const receipts = { atOnce: 50, days: 3 * 86_400_000 }

const shanghai = 8 * 3_600_000

/** The calendar day of an instant in Shanghai, by which the money is counted. */
const dayOf = (time: Date): string => new Date(time.getTime() + shanghai).toISOString().slice(0, 10)

/** How many messages a tenant may send in a day. */
async function mostOf(db: LedgerAround['db'], tenantId: string): Promise<number> {
  const money = await readNumberParam(db, tenantId, 'sms.dailyFen')
  const unit = await readNumberParam(db, tenantId, 'sms.unitFen')
  return unit === 0 ? Number.MAX_SAFE_INTEGER : Math.floor(money / unit)
}

/**
 * Counts segments against the day's money. One row holds the count, so that senders of every process wait for one another:
 * a sum over the messages would not see those that others are writing at the same moment.
 * @returns whether they were still within it
 */
async function spend(trx: Trx, tenantId: string, time: Date, segments: number, most: number): Promise<boolean> {
  const { numAffectedRows } = await sql`
    INSERT INTO sms_day ("tenantId", day, segments)
    SELECT ${tenantId}, ${dayOf(time)}::date, ${segments}::int WHERE ${segments}::int <= ${most}::bigint
    ON CONFLICT ("tenantId", day) DO UPDATE SET segments = sms_day.segments + excluded.segments
      WHERE sms_day.segments + excluded.segments <= ${most}::bigint`.execute(trx)
  return numAffectedRows === 1n
}

/** Ends the transaction: nothing of the message stays. */
class Spent extends Error {}

/**
 * Writes a message down and counts what it costs, both or neither.
 * @returns whether it was not there before
 * @throws Spent when the day's money does not suffice
 */
async function insert(
  { db, vault, now: clock }: LedgerAround,
  { smsId, tenantId }: Account,
  message: NewSms,
  most: number,
): Promise<boolean> {
  const time = clock()
  const segments = segmentsOf(message.content)
  return db.transaction().execute(async trx => {
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('sms_sent')
      .values({
        id: message.id,
        smsId,
        tenantId,
        phone: vault.seal(message.phone),
        segments,
        time,
        bizNo: null,
        asked: null,
      })
      .onConflict(clash => clash.doNothing())
      .executeTakeFirstOrThrow()
    if (numInsertedOrUpdatedRows === 0n) return false
    if (!(await spend(trx, tenantId, time, segments, most))) throw new Spent()
    return true
  })
}

/** Takes a message out again that surely did not go out, with what it would have cost. */
async function takeOut(db: LedgerAround['db'], id: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const gone = await trx
      .deleteFrom('sms_sent')
      .where('id', '=', id)
      .returning(['tenantId', 'time', 'segments'])
      .executeTakeFirst()
    if (!gone) return
    await trx
      .updateTable('sms_day')
      .set(eb => ({ segments: eb('segments', '-', gone.segments) }))
      .where('tenantId', '=', gone.tenantId)
      .where('day', '=', dayOf(gone.time))
      .execute()
  })
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
      try {
        if (await insert(around, account, message, most)) return null
        const before = await find(message.id)
        if (before) return before
        // Taken out again meanwhile by another process: whoever asks next sends it.
        throw new SmsError('短信此前已提交，结果待查', false)
      } catch (error) {
        if (!(error instanceof Spent)) throw error
      }
      around.alarm(account.tenantId, most)
      throw new SmsError('今日短信费用已达上限', true)
    },
    async done(id, bizNo) {
      await db.updateTable('sms_sent').set({ bizNo }).where('id', '=', id).execute()
    },
    async forget(id) {
      await takeOut(db, id)
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
