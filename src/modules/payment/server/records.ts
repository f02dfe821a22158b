import { ExampayStatus, OrderStatus, PayChannelNo, PaymainStatus, PayState } from '#schemas/dictionaries'
import { namingRow } from '../../../crud/form-rows.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { authoredBy } from '../../../platform/http/server/live.ts'
import { refuse, refuseSaying } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { feeOrder } from '../rules/pay-order.ts'
import { type Actor, type PayContext, payFacts, programIn, type RecordRow } from './context.ts'
import { findRecord, lockRecord, lockRecords, lockSignups, moveRecordAs, openOrderOf } from './ledger.ts'
import { closeOpenOrders } from './order-at-channel.ts'
import { isPayable } from './payable.ts'

/** Why somebody need not pay. `file` is the id of the proof. */
export interface Exemption {
  reason: string
  file?: string | undefined
}

/** What is asked for: the record, its fee in fen, and why nothing is to be paid. */
export interface AskedExemption {
  readonly id: string
  readonly name: string
  readonly amount: number
  readonly reason: string
  readonly file: string
}

/** Lets somebody else decide on an exemption. @returns whether somebody does */
export type LeaveExemption = (trx: LiveTrx, asked: AskedExemption) => Promise<boolean>

/**
 * Waives fees, all of them or none, or lets a process decide on that. Open orders are closed first; money that came wins.
 * @param recordIds one, or several that share reason and proof; a refusal of one of several names whose it is
 * @throws payment.notFound, payment.alreadyPaid when one is paid, file.notFound, input.invalid without a reason,
 * row.wrongState when a record is closed, payment.channelUnavailable
 */
export async function exempt(
  ctx: PayContext,
  actor: Actor,
  recordIds: readonly string[],
  given: Exemption,
  leave: LeaveExemption = async () => false,
): Promise<void> {
  const reason = given.reason.trim()
  if (!reason) throw refuse('input.invalid', { 说明: '请输入免缴原因' })
  if (!given.file)
    throw refuse('input.invalid', { 说明: '请上传免缴材料' }, [{ field: 'exemptFile', msg: '请上传免缴材料' }])
  const { file } = given
  const changes = { exemptReason: reason, exemptFile: file }
  const isDone = (record: RecordRow) =>
    isOwnRepeat(
      record,
      record.payState === PayState.exempt && record.exemptReason === reason && record.exemptFile === file,
      actor,
    )
  await withoutOrders(ctx, actor, recordIds, '免缴', async (db, records, now) => {
    const due = records.filter(record => !isDone(record))
    const named = (record: RecordRow, work: () => Promise<unknown>) =>
      records.length > 1 ? namingRow(`ids.${recordIds.indexOf(record.id)}`, `「${record.name}」`, work()) : work()
    for (const record of due) await named(record, async () => requireDue(record))
    const [first] = due
    if (!first) return true
    if (await isOrdered(db, due)) return false
    await tieFile(db, file, { tenantId: actor.tenantId, id: first.id })
    for (const record of due)
      await named(record, async () => {
        const { id, name, amount } = record
        if (await leave(db, { id, name, amount, reason, file })) return
        const moved = await moveRecordAs(db, record, PayState.exempt, changes, { act: 'exempt', actor, now })
        if (!moved) throw refuse('row.changed')
      })
    return true
  })
}

/**
 * Waives a fee in the transaction of a decision.
 * @throws payment.notFound, payment.alreadyPaid, payment.exempt, row.wrongState when it is closed or has an open order
 */
export async function exemptIn(
  trx: LiveTrx,
  actor: Actor,
  recordId: string,
  { reason, file, now }: { reason: string; file: string; now: Date },
): Promise<void> {
  await refuseArchived(trx, [(await findRecord(trx, recordId))?.examId])
  const record = requireDue(await lockRecord(trx, recordId))
  // Closing it asks the channel, which no transaction waits for.
  if (await openOrderOf(trx, recordId)) throw refuseSaying('row.wrongState', '有未关闭的缴费订单，请先关闭订单')
  const changes = { exemptReason: reason, exemptFile: file }
  const deed = { act: 'exempt', actor, now }
  if (!(await moveRecordAs(trx, record, PayState.exempt, changes, deed))) throw refuse('row.changed')
}

/** A record that is still to be paid. @throws payment.notFound, row.wrongState, payment.exempt, payment.alreadyPaid */
function requireDue(record: RecordRow | undefined): RecordRow {
  if (!record) throw refuse('payment.notFound')
  if (record.payState === PayState.closed) throw refuse('row.wrongState')
  if (record.payState === PayState.exempt) throw refuse('payment.exempt')
  if (record.payState !== PayState.due) throw refuse('payment.alreadyPaid')
  return record
}

/**
 * Books money that was paid outside of any channel, with the words of its voucher. It gets an order of its own, so that
 * every paid record has one.
 * @throws payment.notFound, payment.alreadyPaid, input.invalid without a voucher, row.wrongState,
 * payment.channelUnavailable
 */
export async function offlinePay(ctx: PayContext, actor: Actor, recordId: string, voucher: string): Promise<void> {
  const remark = voucher.trim()
  if (!remark) throw refuse('input.invalid', { 说明: '请输入凭证说明' })
  const body = offlineBody(remark)
  const same = async (record: RecordRow, db: LiveTrx) => {
    const isOffline = record.payState === PayState.paid && record.channel === PayChannelNo.offline
    return isOwnRepeat(record, isOffline, actor) && (await bodyOf(db, record)) === body
  }
  await changeDue(ctx, actor, recordId, '线下缴费', same, async (trx, record, now) => {
    const payOrderId = await insertOffline(trx, record, actor, body, now)
    const changes = { payOrderId, payTime: now, channel: PayChannelNo.offline }
    return moveRecordAs(trx, record, PayState.paid, changes, { act: 'offlinePay', actor, now })
  })
}

/**
 * Opens a closed record again after its window was extended.
 * @throws payment.notFound, payment.closed when the window is not open, payment.alreadyPaid when it is paid,
 * row.wrongState when its person owes nothing any more
 */
export async function reopen(ctx: PayContext, actor: Actor, recordId: string): Promise<void> {
  const now = ctx.now()
  await programIn(ctx, actor, now)
    .transaction()
    .execute(async db => {
      const found = await findRecord(db, recordId)
      if (!found) throw refuse('payment.notFound')
      await refuseArchived(db, [found.examId])
      await lockSignups(db, [found.signupId])
      await openSetting(db, found, now)
      const record = await lockRecord(db, recordId)
      if (!record) throw refuse('payment.notFound')
      if (isOwnRepeat(record, record.payState === PayState.due, actor)) return
      if (record.payState === PayState.due) throw refuse('row.wrongState')
      if (record.payState !== PayState.closed)
        throw refuse(record.payState === PayState.exempt ? 'payment.exempt' : 'payment.alreadyPaid')
      if (!(await isPayable(db, record.itemId, record.signupId))) throw refuse('row.wrongState')
      const deed = { act: 'reopen', actor, now }
      if (!(await moveRecordAs(db, record, PayState.due, {}, deed))) throw refuse('row.changed')
    })
}

/** Makes sure that the window of a record is open and its setting and batch are running again. */
async function openSetting(trx: LiveTrx, record: RecordRow, now: Date): Promise<void> {
  const setting = await trx
    .selectFrom('exampay')
    .selectAll()
    .where('itemId', '=', record.itemId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!setting || setting.payStatus === ExampayStatus.draft) throw refuse('payment.closed')
  checkTimely(paymentWindows.reopen, payFacts(setting), now)
  if (setting.payStatus === ExampayStatus.released) return
  await trx.updateTable('exampay').set({ payStatus: ExampayStatus.released }).where('id', '=', setting.id).execute()
  await trx
    .updateTable(withRemoved('payrecordmain'))
    .set({ mainStatus: PaymainStatus.open })
    .where('id', '=', record.mainId)
    .execute()
}

type Change = (trx: LiveTrx, record: RecordRow, now: Date) => Promise<boolean>

/** Changes records under their locks; false where an open order has to be closed first. */
type ChangeAll = (trx: LiveTrx, records: readonly RecordRow[], now: Date) => Promise<boolean>

/** Whether one of some records has an open order. */
async function isOrdered(trx: LiveTrx, records: readonly RecordRow[]): Promise<boolean> {
  for (const { id } of records) if (await openOrderOf(trx, id)) return true
  return false
}

/** Changes records in one transaction, closing open orders where it asks for that. @throws payment.notFound, input.tooOften */
async function withoutOrders(
  ctx: PayContext,
  actor: Actor,
  recordIds: readonly string[],
  reason: string,
  change: ChangeAll,
): Promise<void> {
  for (let attempt = 0; attempt < 3; attempt++) {
    const now = ctx.now()
    const done = await programIn(ctx, actor, now)
      .transaction()
      .execute(async db => {
        // The exam is locked before the sign-up, as it is when people sign up.
        const exams = await db.selectFrom('payrecord').select('examId').where('id', 'in', recordIds).execute()
        await refuseArchived(
          db,
          exams.map(({ examId }) => examId),
        )
        const records = await lockRecords(db, recordIds)
        if (records.length < recordIds.length) throw refuse('payment.notFound')
        return change(db, records, now)
      })
    if (done) return
    await closeOpenOrders(ctx, recordIds, reason)
  }
  throw refuse('input.tooOften')
}

/** Changes a record that is due and has no open order, closing one first. `same`: the actor has made it as it is wanted before. */
function changeDue(
  ctx: PayContext,
  actor: Actor,
  recordId: string,
  reason: string,
  same: (record: RecordRow, db: LiveTrx) => boolean | Promise<boolean>,
  change: Change,
): Promise<void> {
  return withoutOrders(ctx, actor, [recordId], reason, async (db, records, now) => {
    const [record] = records as [RecordRow]
    if (await same(record, db)) return true
    requireDue(record)
    if (await openOrderOf(db, recordId)) return false
    return change(db, record, now)
  })
}

const offlineBody = (remark: string): string => `线下缴费：${remark}`.slice(0, 127)

/** The words of the order that has paid a record. */
async function bodyOf(trx: LiveTrx, { payOrderId }: RecordRow): Promise<string | undefined> {
  const query = trx.selectFrom(withRemoved('payorder')).select('body').where('id', '=', payOrderId)
  return (await query.executeTakeFirst())?.body ?? undefined
}

async function insertOffline(trx: LiveTrx, record: RecordRow, actor: Actor, body: string, now: Date): Promise<string> {
  const { id } = await authoredBy(trx, actor, now)
    .insertInto('payorder')
    .values({
      ...feeOrder(record, body, now),
      channel: PayChannelNo.offline,
      expireTime: now,
      orderStatus: OrderStatus.paid,
      payTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}
