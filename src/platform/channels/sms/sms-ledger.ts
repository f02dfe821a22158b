import { sql } from 'kysely'
import type { Reader, Trx } from '../../database/database.ts'
import { readNumberParam } from '../../database/param.ts'
import { type QuietHours, quietEnd } from '../quiet.ts'
import { quietHoursOf } from '../quiet-hours.ts'
import { type Budget, SmsError, SmsHeld } from './channel.ts'
import type { SentSms } from './provider.ts'
import { giveBack, partOf, spendOf } from './sms-budget.ts'
import './sms-tables.ts'

/** The settings whose account is charged. */
export interface Account {
  id: string
  tenantId: string
}

/** A message that is to be written down. */
interface Entry {
  id: string
  phone: string
  segments: number
  /** It leaves a part of the day's money to others. */
  isSpare?: boolean | undefined
  budget?: Budget | undefined
}

/** A message as the ledger has it. */
export interface LedgerRow extends SentSms {
  smsId: string
  tenantId: string
  asked: Date | null
  told: boolean
  problem: string | null
}

/** What the ledger works with. */
export interface LedgerAround {
  db: Reader
  vault: { seal(text: string): string; open(sealed: string): string; hash(scope: string, text: string): string }
  now: () => Date
  /** Told when the day's money is spent, or the part of it that messages may use which can be done without. */
  alarm(account: Account, spent: { most: number; isSpare: boolean }): void
}

/** What has been sent: shared by all processes, so that none sends again what another has. */
export interface SmsLedger {
  /**
   * Writes a message down before it goes out by an account.
   * @returns the message as it was written down before, when it was
   * @throws SmsError until the next morning when the day's money is spent, SmsHeld when what is on the account of its row is
   */
  begin(entry: Entry, account: Account): Promise<LedgerRow | null>
  /** The provider took it. */
  done(id: string, bizNo: string): Promise<void>
  /** It surely did not go out. */
  forget(id: string): Promise<void>
  find(id: string): Promise<LedgerRow | null>
  /** Notes that a message is asked about. @returns false when that is not due yet, or another process does it */
  ask(row: LedgerRow): Promise<boolean>
  /** Messages taken in the last days of which no receipt has been seen, some at a time, the longest unasked first. */
  waiting(smsId: string): Promise<LedgerRow[]>
}

/** Receipts asked for at a time, and for how long they are waited for, in milliseconds. */
const receipts = { atOnce: 50, days: 3 * 86_400_000 }

/** Milliseconds after it was sent at which a message is asked about that nobody can tell of; after that as seldom as at the end. */
const questions = [60_000, 5 * 60_000, 30 * 60_000] as const

const shanghai = 8 * 3_600_000

/** The calendar day of an instant in Shanghai, by which the money is counted. */
export const dayOf = (time: Date): string => new Date(time.getTime() + shanghai).toISOString().slice(0, 10)

/** When a message is asked about next. */
function nextQuestion({ time, asked }: Pick<LedgerRow, 'time' | 'asked'>): Date {
  if (!asked) return time
  const age = asked.getTime() - time.getTime()
  const next = questions.find(one => one > age)
  return new Date(next === undefined ? asked.getTime() + questions[2] : time.getTime() + next)
}

/** When the next day's messages may go out. */
function nextMorning(now: Date, quiet: QuietHours): Date {
  const today = new Date(`${dayOf(now)}T00:00:00+08:00`)
  return quietEnd(new Date(today.getTime() + 86_400_000), quiet)
}

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
class Spent extends Error {
  constructor(readonly by: 'day' | 'budget') {
    super()
  }
}

/** What seals the number of a message. */
type Sealing = Pick<LedgerAround['vault'], 'seal' | 'hash'>

/** Adds the row of a message, whose answer is known where the provider's number is. @returns whether it was not there before */
async function enter(
  trx: Trx,
  vault: Sealing,
  { id: smsId, tenantId }: Account,
  { id, phone, segments, budget }: Entry,
  { time, bizNo }: Pick<LedgerRow, 'time' | 'bizNo'>,
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('sms_sent')
    .values({
      id,
      smsId,
      tenantId,
      phone: vault.seal(phone),
      phoneHash: vault.hash(tenantId, phone),
      segments,
      time,
      budgetOf: budget?.ownerId ?? null,
      bizNo,
      asked: null,
      told: bizNo !== null,
      problem: null,
    })
    .onConflict(clash => clash.doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/**
 * Writes a message down and counts what it costs, both or neither.
 * @returns whether it was not there before
 * @throws Spent when the day's money does not suffice, or what is on the account of its row
 */
async function insert(
  { db, vault, now: clock }: LedgerAround,
  account: Account,
  entry: Entry,
  most: number,
): Promise<boolean> {
  const { tenantId } = account
  const { segments, isSpare = false, budget } = entry
  const time = clock()
  return db.transaction().execute(async trx => {
    if (!(await enter(trx, vault, account, entry, { time, bizNo: null }))) return false
    if (!(await spend(trx, tenantId, time, segments, most))) throw new Spent('day')
    if (budget && !(await spendOf(trx, budget, segments, isSpare))) throw new Spent('budget')
    return true
  })
}

/** Takes a message out again that surely did not go out, with what it would have cost. */
async function takeOut(db: LedgerAround['db'], id: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const gone = await trx
      .deleteFrom('sms_sent')
      .where('id', '=', id)
      .where('told', '=', false)
      .returning(['tenantId', 'time', 'segments', 'budgetOf'])
      .executeTakeFirst()
    if (!gone) return
    await trx
      .updateTable('sms_day')
      .set(eb => ({ segments: eb('segments', '-', gone.segments) }))
      .where('tenantId', '=', gone.tenantId)
      .where('day', '=', dayOf(gone.time))
      .execute()
    if (gone.budgetOf !== null) await giveBack(trx, gone.budgetOf, gone.segments)
  })
}

/**
 * Writes down what the sandbox took, as if it had been charged. Nobody is asked for its receipt.
 * @param trx the transaction in which the sandbox takes it
 */
export async function noteSandboxed(
  trx: Trx,
  { vault, now }: Pick<LedgerAround, 'now'> & { vault: Sealing },
  account: Account,
  { bizNo, ...entry }: Entry & Pick<LedgerRow, 'bizNo'>,
): Promise<void> {
  await enter(trx, vault, account, entry, { time: now(), bizNo })
}

/** The ledger of all accounts, kept in the database. */
export function smsLedger(around: LedgerAround): SmsLedger {
  const { db, vault, now } = around
  const rowOf = ({ phone, ...row }: LedgerRow): LedgerRow => ({ ...row, phone: vault.open(phone) })
  const find = async (id: string) => {
    const row = await db.selectFrom('sms_sent').selectAll().where('id', '=', id).executeTakeFirst()
    return row ? rowOf(row) : null
  }
  return {
    find,
    async begin(entry, account) {
      const all = await mostOf(db, account.tenantId)
      const isSpare = entry.isSpare === true
      const most = partOf(all, isSpare) ?? all
      try {
        if (await insert(around, account, entry, most)) return null
        const before = await find(entry.id)
        if (before) return before
        // Taken out again meanwhile by another process: whoever asks next sends it.
        throw new SmsError('短信此前已提交，结果待查', 'unknown')
      } catch (error) {
        if (!(error instanceof Spent)) throw error
        if (error.by === 'budget') throw new SmsHeld(now())
      }
      around.alarm(account, { most, isSpare })
      const what = isSpare ? '今日短信费用已达提醒可用的上限，次日再发' : '今日短信费用已达上限，次日再发'
      throw new SmsError(what, 'later', undefined, nextMorning(now(), await quietHoursOf(db, account.tenantId)))
    },
    async done(id, bizNo) {
      await db.updateTable('sms_sent').set({ bizNo }).where('id', '=', id).execute()
    },
    async forget(id) {
      await takeOut(db, id)
    },
    async ask(row) {
      const time = now()
      if (nextQuestion(row) > time) return false
      const { numUpdatedRows } = await db
        .updateTable('sms_sent')
        .set({ asked: time })
        .where('id', '=', row.id)
        .where('asked', row.asked ? '=' : 'is', row.asked)
        .executeTakeFirstOrThrow()
      return numUpdatedRows === 1n
    },
    async waiting(smsId) {
      const time = now()
      const due = db
        .selectFrom('sms_sent')
        .select('id')
        .where('smsId', '=', smsId)
        .where('told', '=', false)
        .where('bizNo', 'is not', null)
        .where('time', '>', new Date(time.getTime() - receipts.days))
        .orderBy('asked', order => order.asc().nullsFirst())
        .limit(receipts.atOnce)
      const rows = await db.updateTable('sms_sent').set({ asked: time }).where('id', 'in', due).returningAll().execute()
      return rows.map(rowOf)
    },
  }
}
