import { stageEvents } from '#resources/exams/events'
import { examinationitem } from '#resources/exams/examinationitem'
import { payrecordEvents } from '#resources/payment/events'
import { EnableStatus, ExampayStatus, ExamStatus, PaymainStatus, PayState, ReleaseStatus } from '#schemas/dictionaries'
import { Exampay } from '#schemas/payment/exampay'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { type ActionContext, type Hooks, handler } from '../../../crud/rules.ts'
import { isSame } from '../../../engine/blank.ts'
import { type Live, type LiveTrx, removeRows, updateUnstamped, withRemoved } from '../../../platform/database/live.ts'
import { authoredBy, liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely, isTimely } from '../../exams/rules/act-windows.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { stageForDuty } from '../../exams/server/stage-use.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { paidStates } from '../rules/pay-record.ts'
import { type Actor, actingAs, type PayContext, payContext, payFacts, programIn, type SettingRow } from './context.ts'
import { syncFeeRecords } from './fee-records.ts'
import { tellDue, updateTotals } from './ledger.ts'
import { closeOpenOrders, recordsWithOrder } from './order-at-channel.ts'
import { payable } from './payable.ts'

/** Fields of a fee that may change once it is released: its end, and words nobody pays by. */
const softFields: readonly string[] = ['endTime', 'exemptRule', 'basis']

/** A released fee keeps its amount; only its end can be moved, which whoever owes it is told. */
export const exampayHooks: Hooks<typeof Exampay> = {
  async beforeSubmit(_ctx, given, before) {
    const { startTime, endTime } = { ...before, ...given }
    if (startTime && endTime && startTime >= endTime)
      throw refuse('input.invalid', { 说明: '缴费开始时间必须早于缴费结束时间' })
    if (!before || before.payStatus === ExampayStatus.draft) return
    const names = Object.keys(given) as (keyof typeof given)[]
    if (names.some(name => !softFields.includes(name) && !isSame(given[name], before[name])))
      throw refuse('row.wrongState')
  },
  async afterSubmit({ db }, fee, before) {
    if (before?.payStatus !== ExampayStatus.released || isSame(fee.endTime, before.endTime)) return
    const stages = await db.selectFrom('examinationitem').selectAll().where('id', '=', fee.itemId).execute()
    await emit(db, stageEvents.windowMoved, stages, { window: 'payEndTime', until: fee.endTime })
  },
}

/**
 * Releases a fee: the batch is made and one record for everybody who owes it; whoever owes it later gets one then.
 * @throws payment.notFound, row.wrongState when it is over or somebody else has released it, input.invalid with what is
 * not right, exams.notReleased
 */
export async function releasePay(ctx: PayContext, actor: Actor, exampayId: string): Promise<void> {
  const now = ctx.now()
  await programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      const own = actingAs(db, actor, now)
      await lockOwing(db, exampayId)
      const setting = await lockSetting(db, exampayId)
      if (isOwnRepeat(setting, setting.payStatus === ExampayStatus.released, actor)) return
      if (setting.payStatus !== ExampayStatus.draft) throw refuse('row.wrongState')
      await checkSetting(db, setting, now)
      const mainId = await createBatch(db, setting, actor, now)
      await syncFeeRecords(db, setting, mainId)
      await updateTotals(db, mainId)
      const after = await own
        .updateTable('exampay')
        .set({ payStatus: ExampayStatus.released, releaseTime: now })
        .where('id', '=', exampayId)
        .returningAll()
        .executeTakeFirstOrThrow()
      await keepHistory(db, Exampay, [[setting, after]], { act: 'releasePay', userId: actor.userId, now })
      await setRelease(db, setting.itemId, ReleaseStatus.released)
      await copyStates(db, setting.itemId)
      const due = await db
        .selectFrom('payrecord')
        .selectAll()
        .where('mainId', '=', mainId)
        .where('payState', '=', PayState.due)
        .execute()
      await tellDue(db, payrecordEvents.opened, due)
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
    const now = ctx.now()
    const db = programIn(ctx, actor, now)
    const done = await db.transaction().execute(trx => recall(trx, actor, exampayId, now))
    if (done) return
    const closed = await closeOpenOrders(ctx, await recordsWithOrder(db, exampayId), '缴费撤回')
    if (!closed) throw refuse('payment.hasPayments')
  }
  throw refuse('payment.hasPayments')
}

/** False: there are open orders to be closed first. */
async function recall(db: LiveTrx, actor: Actor, exampayId: string, now: Date): Promise<boolean> {
  const own = actingAs(db, actor, now)
  const fee = await db
    .selectFrom(withRemoved('exampay'))
    .select('examId')
    .where('id', '=', exampayId)
    .executeTakeFirst()
  await refuseArchived(db, [fee?.examId])
  await lockOwing(db, exampayId)
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
async function lockOwing(trx: LiveTrx, exampayId: string): Promise<void> {
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
    .where('payState', 'in', paidStates)
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
  checkTimely(paymentWindows.release, payFacts(setting), now)
}

async function createBatch(trx: LiveTrx, setting: SettingRow, actor: Actor, now: Date): Promise<string> {
  const { id } = await authoredBy(trx, actor, now)
    .insertInto('payrecordmain')
    .values({
      examId: setting.examId,
      itemId: setting.itemId,
      exampayId: setting.id,
      mainName: setting.payName,
      mainStatus: isTimely(paymentWindows.pay, payFacts(setting), now) ? PaymainStatus.open : PaymainStatus.notStarted,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function setRelease(trx: LiveTrx, itemId: string, payRelease: 1 | 2): Promise<void> {
  await trx.updateTable(withRemoved('examinationitem')).set({ payRelease }).where('id', '=', itemId).execute()
}

/** Writes the state of each record of a stage onto its sign-up, which a release does not count as a change of it. */
async function copyStates(trx: LiveTrx, itemId: string): Promise<void> {
  const records = trx.selectFrom('payrecord').where('itemId', '=', itemId).select(['signupId', 'payState'])
  await updateUnstamped(trx, 'signup')
    .from(records.as('r'))
    .set(eb => ({ payState: eb.ref('r.payState') }))
    .whereRef('r.signupId', '=', 'signup.id')
    .whereRef('r.payState', '<>', 'signup.payState')
    .execute()
}

const feeId = async (ctx: ActionContext): Promise<string> =>
  (await settingOf(liveAs(ctx.app, ctx.person), await stageForDuty(ctx, 'exampay'))).id

/** The release of a fee from the list of stages: each action does what the page of fees does. */
export const stageFeeRules = [
  handler(examinationitem, 'releasePay', async ctx => releasePay(payContext(ctx.app), ctx.person, await feeId(ctx))),
  handler(examinationitem, 'recallPay', async ctx => deletePay(payContext(ctx.app), ctx.person, await feeId(ctx))),
]
