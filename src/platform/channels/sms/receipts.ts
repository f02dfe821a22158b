import type { FastifyInstance } from 'fastify'
import { type AcrossTrx, liveAcross } from '../../database/live.ts'
import '../../http/server/extensions.ts'
import type { SmsReceipt } from './channel.ts'
import type { ToldReceipt } from './provider.ts'
import './sms-tables.ts'

/**
 * Takes over what became of a message, by its number, in the transaction in which that is noted: once for each message.
 * @returns whether the number is one of its own
 */
export type TakeReceipt = (trx: AcrossTrx, receipt: SmsReceipt, now: Date) => Promise<boolean>

declare module '../../http/server/extensions.ts' {
  interface Extensions {
    /** Those who send messages, each with numbers of its own kind. */
    takeReceipt: readonly TakeReceipt[]
  }
}

/** Milliseconds for which a receipt is kept that came before the answer. */
const earlyLife = 86_400_000

/** Notes a receipt and hands it on, unless that has been done. @returns whether it was done now */
async function settle(app: FastifyInstance, trx: AcrossTrx, receipt: SmsReceipt): Promise<boolean> {
  const { id, bizNo, problem } = receipt
  const noted = await trx
    .updateTable('sms_sent')
    .set(eb => ({ told: true, problem, bizNo: eb.fn.coalesce('bizNo', eb.val(bizNo)) }))
    .where('id', '=', id)
    .where('told', '=', false)
    .executeTakeFirstOrThrow()
  if (noted.numUpdatedRows === 0n) return false
  for (const take of app.extensions.takeReceipt) if (await take(trx, receipt, app.now())) break
  return true
}

/** Notes what became of a message and hands it on, once. @returns whether it was not known before */
export const noteReceipt = (app: FastifyInstance, receipt: SmsReceipt): Promise<boolean> =>
  liveAcross(app, app)
    .transaction()
    .execute(trx => settle(app, trx, receipt))

/**
 * Takes in one receipt that was sent to the address of an account. It proves nothing, so it counts for a message of that account to
 * that phone alone, under our number or the provider's. One that comes before the answer, and says the provider's number alone, is kept
 * while a message to that phone waits for its answer.
 * @returns whether something became known
 */
async function takeIn(app: FastifyInstance, account: Account, told: ToldReceipt): Promise<boolean> {
  const { id, bizNo, problem } = told
  const phoneHash = app.vault.hash(account.tenantId, told.phone)
  return liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      // Locked: the answer, which comes at the same time, waits for the receipt, or the receipt sees it.
      const rows = await trx
        .selectFrom('sms_sent')
        .select(['id', 'bizNo', 'told'])
        .where('smsId', '=', account.id)
        .where('phoneHash', '=', phoneHash)
        .where(eb => (id === null ? eb.or([eb('bizNo', '=', bizNo), eb('bizNo', 'is', null)]) : eb('id', '=', id)))
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
      const row = rows.find(one => (id === null ? one.bizNo === bizNo : !one.bizNo || one.bizNo === bizNo))
      if (row) return settle(app, trx, { id: row.id, bizNo: bizNo || null, problem })
      if (id !== null || bizNo === '' || !rows.some(one => one.bizNo === null && !one.told)) return false
      await trx
        .insertInto('sms_early_receipt')
        .values({ smsId: account.id, bizNo, phoneHash, problem, time: app.now() })
        .onConflict(clash => clash.doNothing())
        .execute()
      return true
    })
}

interface Account {
  readonly id: string
  readonly tenantId: string
}

/** Takes in receipts that were sent to the address of an account. @returns of how many something became known */
export async function takeInReceipts(
  app: FastifyInstance,
  account: Account,
  told: readonly ToldReceipt[],
): Promise<number> {
  let count = 0
  for (const one of told) if (await takeIn(app, account, one)) count++
  return count
}

/**
 * Hands on receipts that came before the answers of their messages.
 * @param id only those of the message with this number of ours
 */
export async function applyEarlyReceipts(app: FastifyInstance, id?: string): Promise<number> {
  let count = 0
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      const found = await trx
        .selectFrom('sms_early_receipt as r')
        .innerJoin('sms_sent as s', join =>
          join
            .onRef('s.smsId', '=', 'r.smsId')
            .onRef('s.bizNo', '=', 'r.bizNo')
            .onRef('s.phoneHash', '=', 'r.phoneHash'),
        )
        .select(['s.id', 's.bizNo', 's.smsId', 'r.problem'])
        .$if(id !== undefined, query => query.where('s.id', '=', id ?? ''))
        .orderBy('s.id')
        .limit(500)
        .execute()
      for (const { smsId, ...receipt } of found) {
        if (await settle(app, trx, receipt)) count++
        await trx
          .deleteFrom('sms_early_receipt')
          .where('smsId', '=', smsId)
          .where('bizNo', '=', receipt.bizNo ?? '')
          .execute()
      }
    })
  return count
}

/** Removes receipts that came before an answer that has never come. */
export async function purgeEarlyReceipts(app: FastifyInstance): Promise<void> {
  await liveAcross(app, app)
    .deleteFrom('sms_early_receipt')
    .where('time', '<', new Date(app.now().getTime() - earlyLife))
    .execute()
}
