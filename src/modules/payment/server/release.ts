import { sql } from 'kysely'
import { EnableStatus, ExampayStatus, ExamStatus, PaymainStatus, PayState, ReleaseStatus } from '#schemas/dictionaries'
import { Exampay } from '#schemas/payment/exampay'
import { refuseArchived } from '../../../crud/archived.ts'
import { keepHistory } from '../../../crud/history.ts'
import type { Reader, Trx } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely, isTimely } from '../../exams/rules/act-windows.ts'
import { paidStates } from '../rules/pay-record.ts'
import { closeOpenOrders, recordsWithOrder } from './ask-channel.ts'
import { type Actor, type PayContext, payFacts, type SettingRow } from './context.ts'
import { syncFeeRecords } from './fee-records.ts'
import { payable } from './payable.ts'
import { updateTotals } from './record-state.ts'

/**
 * Releases a fee: the batch is made and one record for everybody who owes it; whoever owes it later gets one then.
 * @throws payment.notFound, row.wrongState when it is over or somebody else has released it, input.invalid with what is
 * not right, exams.notReleased
 */
export async function releasePay(ctx: PayContext, actor: Actor, exampayId: string): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async trx => {
    await lockSignups(trx, exampayId)
    const setting = await lockSetting(trx, exampayId)
    if (isOwnRepeat(setting, setting.payStatus === ExampayStatus.released, actor)) return
    if (setting.payStatus !== ExampayStatus.draft) throw refuse('row.wrongState')
    await checkSetting(trx, setting, now)
    const mainId = await createBatch(trx, setting, actor, now)
    await syncFeeRecords(trx, setting, mainId, now)
    await updateTotals(trx, mainId, now)
    const after = await trx
      .updateTable('exampay')
      .set({ payStatus: ExampayStatus.released, releaseTime: now, updateTime: now, updateUser: actor.userId })
      .where('id', '=', exampayId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(trx, Exampay, [[setting, after]], { act: 'releasePay', userId: actor.userId, now })
    await setRelease(trx, setting.itemId, ReleaseStatus.released, now)
    await copyStates(trx, setting.itemId)
  })
}

/**
 * Recalls a fee nobody has paid: open orders are closed at the channel, unpaid records go, exemptions stay for the next
 * release.
 * @throws payment.notFound, payment.hasPayments when somebody has paid, row.wrongState when it is not released,
 * payment.channelUnavailable when the channel does not answer
 */
export async function deletePay(ctx: PayContext, actor: Actor, exampayId: string): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const done = await ctx.db.transaction().execute(trx => recall(ctx, trx, actor, exampayId))
    if (done) return
    const closed = await closeOpenOrders(ctx, await recordsWithOrder(ctx.db, exampayId), '缴费撤回')
    if (!closed) throw refuse('payment.hasPayments')
  }
  throw refuse('payment.hasPayments')
}

/** False: there are open orders to be closed first. */
async function recall(ctx: PayContext, trx: Trx, actor: Actor, exampayId: string): Promise<boolean> {
  const now = ctx.now()
  const fee = await trx.selectFrom('exampay').select('examId').where('id', '=', exampayId).executeTakeFirst()
  await refuseArchived(trx, [fee?.examId])
  await lockSignups(trx, exampayId)
  const setting = await lockSetting(trx, exampayId)
  if (isOwnRepeat(setting, setting.payStatus === ExampayStatus.draft, actor)) return true
  await trx
    .selectFrom('payrecord')
    .select('id')
    .where('itemId', '=', setting.itemId)
    .where('isDeleted', '=', 0)
    .orderBy('id')
    .forUpdate()
    .execute()
  await checkUnpaid(trx, setting)
  if ((await recordsWithOrder(trx, exampayId)).length > 0) return false
  await trx
    .updateTable('payrecord')
    .set({ isDeleted: 1, updateTime: now, updateUser: actor.userId })
    .where('itemId', '=', setting.itemId)
    .where('payState', 'in', [PayState.due, PayState.closed])
    .where('isDeleted', '=', 0)
    .execute()
  await trx
    .updateTable('payrecordmain')
    .set({ isDeleted: 1, updateTime: now, updateUser: actor.userId })
    .where('exampayId', '=', exampayId)
    .execute()
  const after = await trx
    .updateTable('exampay')
    .set({ payStatus: ExampayStatus.draft, releaseTime: null, updateTime: now, updateUser: actor.userId })
    .where('id', '=', exampayId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(trx, Exampay, [[setting, after]], { act: 'deletePay', userId: actor.userId, now })
  await setRelease(trx, setting.itemId, ReleaseStatus.recalled, now)
  return true
}

/** Locks the sign-ups a release or recall touches before anything else, in the order everybody locks in. */
async function lockSignups(trx: Trx, exampayId: string): Promise<void> {
  await payable(trx)
    .innerJoin('exampay as x', 'x.itemId', 'i.id')
    .where('x.id', '=', exampayId)
    .select('s.id')
    .orderBy('s.id')
    .forNoKeyUpdate('s')
    .execute()
}

async function lockSetting(trx: Trx, exampayId: string): Promise<SettingRow> {
  const setting = await trx
    .selectFrom('exampay')
    .selectAll()
    .where('id', '=', exampayId)
    .where('isDeleted', '=', 0)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!setting) throw refuse('row.notFound')
  return setting
}

/**
 * The fee of a stage.
 * @throws input.invalid when it has none yet
 */
export async function settingOf(db: Reader, itemId: string): Promise<SettingRow> {
  const setting = await db
    .selectFrom('exampay')
    .selectAll()
    .where('itemId', '=', itemId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!setting) throw refuse('input.invalid', { 说明: '该考试项目尚未设置缴费' })
  return setting
}

/**
 * Whether nobody has paid a fee yet, so that it can be recalled.
 * @throws payment.hasPayments, row.wrongState when it is not released
 */
export async function checkUnpaid(db: Reader, { itemId, payStatus }: SettingRow): Promise<void> {
  const paid = await db
    .selectFrom('payrecord')
    .select('id')
    .where('itemId', '=', itemId)
    .where(sql<boolean>`"payState" = any(${[...paidStates]}::int[])`)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (paid) throw refuse('payment.hasPayments')
  if (payStatus !== ExampayStatus.released) throw refuse('row.wrongState')
}

/** Whether a fee can be released. @throws input.invalid with what is not right, exams.notReleased */
export async function checkSetting(trx: Reader, setting: SettingRow, now: Date): Promise<void> {
  const stage = await trx
    .selectFrom('examinationitem as i')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .select(['i.examId', 'i.needPay', 'i.itemStatus', 'e.examStatus'])
    .where('i.id', '=', setting.itemId)
    .where('i.isDeleted', '=', 0)
    .executeTakeFirst()
  if (!stage || stage.examId !== setting.examId) throw refuse('input.invalid', { 说明: '考试项目不存在' })
  if (stage.examStatus !== ExamStatus.released) throw refuse('exams.notReleased')
  if (stage.needPay !== 1 || stage.itemStatus !== EnableStatus.enabled)
    throw refuse('input.invalid', { 说明: '该考试项目不收费或已停用' })
  if (setting.amount < 1) throw refuse('input.invalid', { 说明: '缴费金额必须大于0' })
  if (setting.startTime >= setting.endTime) throw refuse('input.invalid', { 说明: '缴费开始时间必须早于结束时间' })
  checkTimely('fee.release', payFacts(setting), now)
}

async function createBatch(trx: Trx, setting: SettingRow, actor: Actor, now: Date): Promise<string> {
  const { id } = await trx
    .insertInto('payrecordmain')
    .values({
      tenantId: setting.tenantId,
      examId: setting.examId,
      itemId: setting.itemId,
      exampayId: setting.id,
      mainName: setting.payName,
      mainStatus: isTimely('pay', payFacts(setting), now) ? PaymainStatus.open : PaymainStatus.notStarted,
      createUser: actor.userId,
      createTime: now,
      updateTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function setRelease(trx: Trx, itemId: string, payRelease: 1 | 2, now: Date): Promise<void> {
  await trx.updateTable('examinationitem').set({ payRelease, updateTime: now }).where('id', '=', itemId).execute()
}

/** Writes the state of each record of a stage onto its sign-up. */
async function copyStates(trx: Trx, itemId: string): Promise<void> {
  await trx
    .updateTable('signup as s')
    .from('payrecord as r')
    .set(eb => ({ payState: eb.ref('r.payState') }))
    .whereRef('r.signupId', '=', 's.id')
    .whereRef('r.payState', '<>', 's.payState')
    .where('r.itemId', '=', itemId)
    .where('r.isDeleted', '=', 0)
    .execute()
}
