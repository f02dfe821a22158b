import { ExampayStatus, PayState } from '#schemas/dictionaries'
import type { Trx } from '../../../platform/database/database.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import { payFacts, type SettingRow } from './context.ts'
import { isPayable, payable } from './payable.ts'
import { copyState, lockSignup, moveRecord, moveTotals } from './record-state.ts'

/**
 * Brings the pay records of one sign-up to what it owes now: for every released fee of its exam a record when it is payable,
 * none left open when it is not. To be called in the transaction, and after the change, that makes a sign-up payable or not.
 */
export async function ensurePayable(trx: Trx, signupId: string, now: Date): Promise<void> {
  await lockSignup(trx, signupId)
  for (const setting of await settingsOf(trx, signupId)) {
    if (setting.payStatus !== ExampayStatus.released) continue
    if (await isPayable(trx, setting.itemId, signupId)) await openRecord(trx, setting, signupId, now)
    else await closeRecords(trx, signupId, now, setting.itemId)
  }
}

/**
 * Closes what a sign-up still owes, because it owes no more. Orders that are open at the channel are closed by the next run of the
 * job; money that comes meanwhile gets a refund slip.
 */
export async function closeUnpayable(trx: Trx, signupId: string, now: Date): Promise<void> {
  await lockSignup(trx, signupId)
  await closeRecords(trx, signupId, now)
}

/** The fee settings of the exam of a sign-up, locked: a release that runs at the same moment is waited for. */
function settingsOf(trx: Trx, signupId: string): Promise<SettingRow[]> {
  return trx
    .selectFrom('exampay')
    .selectAll()
    .where('examId', '=', eb => eb.selectFrom('signup').select('examId').where('id', '=', signupId))
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .forShare()
    .execute()
}

async function openRecord(trx: Trx, setting: SettingRow, signupId: string, now: Date): Promise<void> {
  const before = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('itemId', '=', setting.itemId)
    .where('signupId', '=', signupId)
    .where('isDeleted', '=', 0)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (before) {
    const comesBack = before.payState === PayState.closed && isTimely('fee.reopen', payFacts(setting), now)
    if (comesBack) await moveRecord(trx, before, PayState.due, now)
    return
  }
  const main = await mainOf(trx, setting.id)
  if (!main) return
  await syncFeeRecords(trx, setting, main, now, signupId)
  await moveTotals(trx, main, null, PayState.due, setting.amount, now)
  await copyState(trx, signupId, PayState.due, now)
}

async function closeRecords(trx: Trx, signupId: string, now: Date, itemId?: string): Promise<void> {
  const records = await trx
    .selectFrom('payrecord')
    .selectAll()
    .where('signupId', '=', signupId)
    .where('payState', '=', PayState.due)
    .where('isDeleted', '=', 0)
    .$if(itemId !== undefined, query => query.where('itemId', '=', itemId ?? ''))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  for (const record of records) await moveRecord(trx, record, PayState.closed, now)
}

async function mainOf(trx: Trx, exampayId: string): Promise<string | undefined> {
  const main = await trx
    .selectFrom('payrecordmain')
    .select('id')
    .where('exampayId', '=', exampayId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return main?.id
}

/**
 * Makes the records of all payable sign-ups of a fee, or of one. Who has a record keeps it: unpaid and closed ones are opened with
 * the present amount, paid and exempt ones only join the batch.
 */
export function syncFeeRecords(
  trx: Trx,
  setting: SettingRow,
  mainId: string,
  now: Date,
  signupId?: string,
): Promise<unknown> {
  const rows = payable(trx)
    .where('i.id', '=', setting.itemId)
    .$if(signupId !== undefined, query => query.where('s.id', '=', signupId ?? ''))
    .select(eb => [
      's.tenantId',
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
      eb.cast<Date>(eb.val(now), 'timestamptz').as('createTime'),
      eb.cast<Date>(eb.val(now), 'timestamptz').as('updateTime'),
    ])
    .orderBy('s.id')
  return trx
    .insertInto('payrecord')
    .columns([
      'tenantId',
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
      'createTime',
      'updateTime',
    ])
    .expression(rows)
    .onConflict(conflict =>
      conflict
        .columns(['tenantId', 'itemId', 'signupId'])
        .where('isDeleted', '=', 0)
        .doUpdateSet(eb => ({
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
          updateTime: now,
        })),
    )
    .execute()
}
