import { sql } from 'kysely'
import { EnableStatus, ExampayStatus, ExamStatus, PaymainStatus, PayState, ReleaseStatus } from '#schemas/dictionaries'
import { Exampay } from '#schemas/payment/exampay'
import { refuseArchived } from '../../../crud/archived.ts'
import { keepHistory } from '../../../crud/history.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { type Live, type LiveTrx, liveFor, removeRows, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely, isTimely } from '../../exams/rules/act-windows.ts'
import { paidStates } from '../rules/pay-record.ts'
import { closeOpenOrders, recordsWithOrder } from './order-at-channel.ts'
import { type Actor, actingAs, type PayContext, payFacts, programOf, type SettingRow } from './context.ts'
import { syncFeeRecords } from './fee-records.ts'
import { payable } from './payable.ts'
import { updateTotals } from './ledger.ts'

/**
 * Releases a fee: the batch is made and one record for everybody who owes it; whoever owes it later gets one then.
 * @throws payment.notFound, row.wrongState when it is over or somebody else has released it, input.invalid with what is
 * not right, exams.notReleased
 */
export async function releasePay(ctx: PayContext, actor: Actor, exampayId: string): Promise<void> {
  const now = ctx.now()
  await ctx.db.transaction().execute(async trx => {
    const [db, own] = [programOf(trx, actor, now), actingAs(trx, actor, now)]
    await lockSignups(db, exampayId)
    const setting = await lockSetting(db, exampayId)
    if (isOwnRepeat(setting, setting.payStatus === ExampayStatus.released, actor)) return
    if (setting.payStatus !== ExampayStatus.draft) throw refuse('row.wrongState')
    await checkSetting(db, setting, now)
    const mainId = await createBatch(trx, setting, actor, now)
    await syncFeeRecords(db, setting, mainId, now)
    await updateTotals(db, mainId, now)
    const after = await own
      .updateTable('exampay')
      .set({ payStatus: ExampayStatus.released, releaseTime: now })
      .where('id', '=', exampayId)
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(db, Exampay, [[setting, after]], { act: 'releasePay', userId: actor.userId, now })
    await setRelease(db, setting.itemId, ReleaseStatus.released)
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
  const db = liveFor(ctx, { ...actor, now: ctx.now })
  for (let attempt = 0; attempt < 3; attempt++) {
    const done = await ctx.db.transaction().execute(trx => recall(ctx, trx, actor, exampayId))
    if (done) return
    const closed = await closeOpenOrders(ctx, await recordsWithOrder(db, exampayId), '缴费撤回')
    if (!closed) throw refuse('payment.hasPayments')
  }
  throw refuse('payment.hasPayments')
}

/** False: there are open orders to be closed first. */
async function recall(ctx: PayContext, trx: Trx, actor: Actor, exampayId: string): Promise<boolean> {
  const now = ctx.now()
  const [db, own] = [programOf(trx, actor, now), actingAs(trx, actor, now)]
  const fee = await db
    .selectFrom(withRemoved('exampay'))
    .select('examId')
    .where('id', '=', exampayId)
    .executeTakeFirst()
  await refuseArchived(db, [fee?.examId])
  await lockSignups(db, exampayId)
  const setting = await lockSetting(db, exampayId)
  if (isOwnRepeat(setting, setting.payStatus === ExampayStatus.draft, actor)) return true
  await db.selectFrom('payrecord').select('id').where('itemId', '=', setting.itemId).orderBy('id').forUpdate().execute()
  await checkUnpaid(db, setting)
  if ((await recordsWithOrder(db, exampayId)).length > 0) return false
  await removeRows(own, 'payrecord')
    .where('itemId', '=', setting.itemId)
    .where('payState', 'in', [PayState.due, PayState.closed])
    .execute()
  await removeRows(own, 'payrecordmain').where('exampayId', '=', exampayId).execute()
  const after = await own
    .updateTable('exampay')
    .set({ payStatus: ExampayStatus.draft, releaseTime: null })
    .where('id', '=', exampayId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await keepHistory(db, Exampay, [[setting, after]], { act: 'deletePay', userId: actor.userId, now })
  await setRelease(db, setting.itemId, ReleaseStatus.recalled)
  return true
}

/** Locks the sign-ups a release or recall touches before anything else, in the order everybody locks in. */
async function lockSignups(trx: LiveTrx, exampayId: string): Promise<void> {
  await payable(trx)
    .innerJoin(withRemoved('exampay as x'), 'x.itemId', 'i.id')
    .where('x.id', '=', exampayId)
    .select('s.id')
    .orderBy('s.id')
    .forNoKeyUpdate('s')
    .execute()
}

async function lockSetting(trx: LiveTrx, exampayId: string): Promise<SettingRow> {
  const setting = await trx
    .selectFrom('exampay')
    .selectAll()
    .where('id', '=', exampayId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!setting) throw refuse('row.notFound')
  return setting
}

/**
 * The fee of a stage.
 * @throws input.invalid when it has none yet
 */
export async function settingOf(db: Live, itemId: string): Promise<SettingRow> {
  const setting = await db.selectFrom('exampay').selectAll().where('itemId', '=', itemId).executeTakeFirst()
  if (!setting) throw refuse('input.invalid', { 说明: '该考试项目尚未设置缴费' })
  return setting
}

/**
 * Whether nobody has paid a fee yet, so that it can be recalled.
 * @throws payment.hasPayments, row.wrongState when it is not released
 */
export async function checkUnpaid(db: Live, { itemId, payStatus }: SettingRow): Promise<void> {
  const paid = await db
    .selectFrom('payrecord')
    .select('id')
    .where('itemId', '=', itemId)
    .where(sql<boolean>`"payState" = any(${[...paidStates]}::int[])`)
    .executeTakeFirst()
  if (paid) throw refuse('payment.hasPayments')
  if (payStatus !== ExampayStatus.released) throw refuse('row.wrongState')
}

/** Whether a fee can be released. @throws input.invalid with what is not right, exams.notReleased */
export async function checkSetting(db: Live, setting: SettingRow, now: Date): Promise<void> {
  const stage = await db
    .selectFrom('examinationitem as i')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'i.examId')
    .select(['i.examId', 'i.needPay', 'i.itemStatus', 'e.examStatus'])
    .where('i.id', '=', setting.itemId)
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
  // The raw handle: a batch that is new was changed by nobody.
  const { id } = await trx
    .insertInto('payrecordmain')
    .values({
      tenantId: actor.tenantId,
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

async function setRelease(trx: LiveTrx, itemId: string, payRelease: 1 | 2): Promise<void> {
  await trx.updateTable(withRemoved('examinationitem')).set({ payRelease }).where('id', '=', itemId).execute()
}

/** Writes the state of each record of a stage onto its sign-up, which a release does not count as a change of it: no stamps. */
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
