import { payrecordEvents } from '#resources/payment/events'
import { ExampayStatus, PayState } from '#schemas/dictionaries'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { payFacts, type SettingRow } from './context.ts'
import { copyState, lockSignups, moveRecord, moveTotals, tellDue } from './ledger.ts'
import { isPayable, payable } from './payable.ts'

/**
 * Brings the pay records of one sign-up to what it owes now: for every released fee of its exam a record when it is payable,
 * none left open when it is not. To be called in the transaction, and after the change, that makes a sign-up payable or not.
 * @param trx of the program, see {@link programOf}
 */
export async function ensurePayable(trx: LiveTrx, signupId: string, now: Date): Promise<void> {
  await lockSignups(trx, [signupId])
  for (const setting of await settingsOf(trx, signupId)) {
    if (setting.payStatus !== ExampayStatus.released) continue
    if (await isPayable(trx, setting.itemId, signupId)) await openRecord(trx, setting, signupId, now)
    else await closeRecords(trx, signupId, setting.itemId)
  }
}

/**
 * Closes what a sign-up still owes, because it owes no more. Orders that are open at the channel are closed by the next run of the
 * job; money that comes meanwhile gets a refund slip.
 * @param trx of the program, see {@link programOf}
 */
export async function closeUnpayable(trx: LiveTrx, signupId: string): Promise<void> {
  await lockSignups(trx, [signupId])
  await closeRecords(trx, signupId)
}

/** The fee settings of the exam of a sign-up, locked: a release that runs at the same moment is waited for. */
function settingsOf(trx: LiveTrx, signupId: string): Promise<SettingRow[]> {
  return trx
    .selectFrom('exampay')
    .selectAll()
    .where('examId', '=', eb => eb.selectFrom(withRemoved('signup')).select('examId').where('id', '=', signupId))
    .orderBy('id')
    .forShare()
    .execute()
}

async function openRecord(trx: LiveTrx, setting: SettingRow, signupId: string, now: Date): Promise<void> {
  const before = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('itemId', '=', setting.itemId)
    .where('signupId', '=', signupId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before) {
    const comesBack = before.payState === PayState.closed && isTimely(paymentWindows.reopen, payFacts(setting), now)
    if (comesBack) await moveRecord(trx, before, PayState.due)
    return
  }
  const main = await mainOf(trx, setting.id)
  if (!main) return
  await syncFeeRecords(trx, setting, main, signupId)
  await moveTotals(trx, main, null, PayState.due, setting.amount)
  await copyState(trx, signupId, PayState.due)
  const opened = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('itemId', '=', setting.itemId)
    .where('signupId', '=', signupId)
    .where('payState', '=', PayState.due)
    .execute()
  await tellDue(trx, payrecordEvents.opened, opened)
}

async function closeRecords(trx: LiveTrx, signupId: string, itemId?: string): Promise<void> {
  const records = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('signupId', '=', signupId)
    .where('payState', '=', PayState.due)
    .$if(itemId !== undefined, query => query.where('itemId', '=', itemId ?? ''))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const record of records) await moveRecord(trx, record, PayState.closed)
}

async function mainOf(trx: LiveTrx, exampayId: string): Promise<string | undefined> {
  const main = await trx.selectFrom('payrecordmain').select('id').where('exampayId', '=', exampayId).executeTakeFirst()
  return main?.id
}

/**
 * Makes the records of all payable sign-ups of a fee, or of one. Who has a record keeps it: unpaid and closed ones are opened with
 * the present amount, paid and exempt ones only join the batch.
 */
export function syncFeeRecords(trx: LiveTrx, setting: SettingRow, mainId: string, signupId?: string): Promise<unknown> {
  const rows = payable(trx)
    .where('i.id', '=', setting.itemId)
    .$if(signupId !== undefined, query => query.where('s.id', '=', signupId ?? ''))
    .select(eb => [
      's.examId',
      'i.id as itemId',
      's.id as signupId',
      's.userId',
      's.name',
      's.idCard',
      's.idCardHash',
      's.phone',
      's.phoneHash',
      eb.fn.coalesce('s.finalUnit', 's.unit').as('unit'),
      eb.fn.coalesce('s.finalCode', 's.code').as('code'),
      eb.cast<string>(eb.val(mainId), 'bigint').as('mainId'),
      eb.cast<number>(eb.val(setting.amount), 'integer').as('amount'),
    ])
    .orderBy('s.id')
  return trx
    .insertInto('payrecord')
    .columns([
      'examId',
      'itemId',
      'signupId',
      'userId',
      'name',
      'idCard',
      'idCardHash',
      'phone',
      'phoneHash',
      'unit',
      'code',
      'mainId',
      'amount',
    ])
    .expression(rows)
    .onConflict(conflict =>
      conflict.columns(['itemId', 'signupId']).doUpdateSet(eb => ({
        mainId: eb.ref('excluded.mainId'),
        amount: eb
          .case()
          .when('payrecord.payState', 'in', [PayState.due, PayState.closed])
          .then(eb.ref('excluded.amount'))
          .else(eb.ref('payrecord.amount'))
          .end(),
        payState: eb
          .case()
          .when('payrecord.payState', '=', PayState.closed)
          .then(eb.lit(PayState.due))
          .else(eb.ref('payrecord.payState'))
          .end(),
      })),
    )
    .execute()
}
