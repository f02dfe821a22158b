import { sql } from 'kysely'
import { payorderEvents, payrecordEvents, payrefundEvents } from '#resources/payment/events'
import { OrderStatus, PayBizType, PayState, RefundStatus } from '#schemas/dictionaries'
import { Payrecord } from '#schemas/payment/payrecord'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { type Live, type LiveDatabase, type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { newPayNumber } from '../rules/pay-order.ts'
import { owingStates, paidStates, totalsChange } from '../rules/pay-record.ts'
import { systemUser } from '../rules/pay-refund.ts'
import { type Actor, actingAs, type OrderRow, type RecordRow, type RefundRow } from './context.ts'

// How records, orders, refund slips and the counters of a batch are locked and moved from state to state. Whoever changes more
// than one of them locks in this order: sign-up, setting, record, order, slip, batch.

/** What a move of a record writes besides the state. */
type RecordChanges = Partial<
  Pick<RecordRow, 'payOrderId' | 'payTime' | 'channel' | 'exemptReason' | 'exemptFile' | 'amount'>
>

/** Locks sign-ups, the first lock of everything that changes what they owe. */
export async function lockSignups(trx: LiveTrx, signupIds: readonly string[]): Promise<void> {
  if (signupIds.length === 0) return
  await trx
    .selectFrom(withRemoved('signup'))
    .select('id')
    .where('id', 'in', signupIds)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** A record that is not deleted. */
export function findRecord(db: Live, recordId: string): Promise<RecordRow | undefined> {
  return db.selectFrom('payrecord').selectAll().where('id', '=', recordId).executeTakeFirst()
}

/** A record, locked until the transaction ends, its sign-up before it. Undefined when there is none. */
export async function lockRecord(trx: LiveTrx, recordId: string): Promise<RecordRow | undefined> {
  const record = await findRecord(trx, recordId)
  if (!record) return undefined
  await lockSignups(trx, [record.signupId])
  return trx
    .selectFrom(withRemoved('payrecord'))
    .selectAll()
    .where('id', '=', recordId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Records that are not deleted, locked as {@link lockRecord} locks one; those that are not there are missing. */
export async function lockRecords(trx: LiveTrx, recordIds: readonly string[]): Promise<RecordRow[]> {
  const found = await trx.selectFrom('payrecord').select('signupId').where('id', 'in', recordIds).execute()
  await lockSignups(
    trx,
    found.map(({ signupId }) => signupId),
  )
  return trx.selectFrom('payrecord').selectAll().where('id', 'in', recordIds).orderBy('id').forNoKeyUpdate().execute()
}

/** What a record is moved by. */
type Moved = Pick<RecordRow, 'id' | 'payState' | 'amount' | 'mainId' | 'signupId'>

/**
 * Moves a record from the state it was read in, and with it the counters of its batch and the copy on the sign-up.
 * @returns false when somebody else has moved it meanwhile
 */
export const moveRecord = async (
  trx: LiveTrx,
  record: Moved,
  to: RecordRow['payState'],
  changes: RecordChanges = {},
): Promise<boolean> => Boolean(await move(trx, record, to, changes, trx))

/**
 * As {@link moveRecord}, as the act of a person, which the history of the record keeps.
 * @param deed the action that it is, by whom, and when
 */
export async function moveRecordAs(
  trx: LiveTrx,
  record: RecordRow,
  to: RecordRow['payState'],
  changes: RecordChanges,
  { act, actor, now }: { act: string; actor: Actor; now: Date },
): Promise<boolean> {
  const moved = await move(trx, record, to, changes, actingAs(trx, actor, now))
  if (moved) await keepHistory(trx, Payrecord, [[record, moved]], { act, userId: actor.userId, now })
  return Boolean(moved)
}

/** @param own the handle of whoever changes the record; counters and copy follow without one */
async function move(
  trx: LiveTrx,
  record: Moved,
  to: RecordRow['payState'],
  changes: RecordChanges,
  own: LiveTrx,
): Promise<RecordRow | null> {
  const moved = await own
    .updateTable(withRemoved('payrecord'))
    .set(eb => ({ ...changes, payState: to, version: eb('version', '+', 1) }))
    .where('id', '=', record.id)
    .where('payState', '=', record.payState)
    .returningAll()
    .executeTakeFirst()
  if (!moved) return null
  await moveTotals(trx, record.mainId, record.payState, to, record.amount)
  await copyState(trx, record.signupId, to)
  await tellMove(trx, record.payState, moved)
  return moved
}

/** Tells the candidate what has become of a record; that its refund is under way, the refund tells. */
async function tellMove(trx: LiveTrx, from: RecordRow['payState'], record: RecordRow): Promise<void> {
  if (record.payState === PayState.exempt) return emit(trx, payrecordEvents.exempted, [record])
  if (record.payState === PayState.paid && from !== PayState.refunding) return emit(trx, payrecordEvents.paid, [record])
  if (record.payState === PayState.due) return tellDue(trx, payrecordEvents.reopened, [record])
}

/** Tells candidates that they have to pay, and until when. */
export async function tellDue(
  trx: LiveTrx,
  event: (typeof payrecordEvents)['opened' | 'reopened'],
  records: readonly RecordRow[],
): Promise<void> {
  const [first] = records
  if (!first) return
  const { endTime } = await trx
    .selectFrom('exampay')
    .select('endTime')
    .where('itemId', '=', first.itemId)
    .executeTakeFirstOrThrow()
  await emit(trx, event, records, { until: endTime })
}

/** Adds one record's change of state to the counters of its batch. Null stands for a record that was not there. */
export async function moveTotals(
  trx: LiveTrx,
  mainId: string,
  from: number | null,
  to: number | null,
  amount: number,
): Promise<void> {
  const change = totalsChange(from, to, amount)
  await trx
    .updateTable(withRemoved('payrecordmain'))
    .set({
      totalNum: plus('totalNum', change.totalNum),
      paidNum: plus('paidNum', change.paidNum),
      exemptNum: plus('exemptNum', change.exemptNum),
      totalAmount: plus('totalAmount', change.totalAmount),
      paidAmount: plus('paidAmount', change.paidAmount),
      refundAmount: plus('refundAmount', change.refundAmount),
    })
    .where('id', '=', mainId)
    .execute()
}

/** Writes the state of a record onto its sign-up. */
export async function copyState(trx: LiveTrx, signupId: string, state: RecordRow['payState']): Promise<void> {
  await trx
    .updateTable(withRemoved('signup'))
    .set({ payState: state })
    .where('id', '=', signupId)
    .where('payState', '<>', state)
    .execute()
}

/** Counts a batch again from its records; for changes of many records at once. */
export async function updateTotals(trx: Live, mainId: string): Promise<void> {
  const counted = trx
    .selectFrom('payrecord')
    .where('mainId', '=', mainId)
    .select(({ fn, lit }) => {
      const count = (states: readonly RecordRow['payState'][]) =>
        fn.countAll<number>().filterWhere('payState', 'in', states)
      const sum = (states: readonly RecordRow['payState'][]) =>
        fn.coalesce(fn.sum<number>('amount').filterWhere('payState', 'in', states), lit(0))
      return [
        count(owingStates).as('totalNum'),
        count(paidStates).as('paidNum'),
        count([PayState.exempt]).as('exemptNum'),
        sum(owingStates).as('totalAmount'),
        sum(paidStates).as('paidAmount'),
        sum([PayState.refunded]).as('refundAmount'),
      ]
    })
  await trx
    .updateTable(withRemoved('payrecordmain as m'))
    .from(counted.as('n'))
    .set(eb => ({
      totalNum: eb.ref('n.totalNum'),
      paidNum: eb.ref('n.paidNum'),
      exemptNum: eb.ref('n.exemptNum'),
      totalAmount: eb.ref('n.totalAmount'),
      paidAmount: eb.ref('n.paidAmount'),
      refundAmount: eb.ref('n.refundAmount'),
    }))
    .where('m.id', '=', mainId)
    .execute()
}

type Counter = keyof Pick<
  LiveDatabase['payrecordmain'],
  'totalNum' | 'paidNum' | 'exemptNum' | 'totalAmount' | 'paidAmount' | 'refundAmount'
>

const plus = (counter: Counter, by: number) => sql<number>`coalesce(${sql.ref(counter)}, 0) + ${by}`

/** What came for an order, in fen: what the channel said, or what was asked for while nobody said otherwise. */
export const amountReceived = (order: Pick<OrderRow, 'amount' | 'paidAmount'>): number =>
  order.paidAmount ?? order.amount

/** The open order of a record or another business; the database allows one at most. */
export function openOrderOf(
  trx: Live,
  bizId: string,
  bizType: OrderRow['bizType'] = PayBizType.examFee,
): Promise<OrderRow | undefined> {
  return trx
    .selectFrom('payorder')
    .selectAll()
    .where('bizType', '=', bizType)
    .where('bizId', '=', bizId)
    .where('orderStatus', '=', OrderStatus.unpaid)
    .executeTakeFirst()
}

/** An order, locked until the transaction ends; what it pays for is locked before it. */
export function lockOrder(trx: LiveTrx, id: string): Promise<OrderRow> {
  return trx
    .selectFrom(withRemoved('payorder'))
    .selectAll()
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
}

/** An order with the record it is for, both locked. @throws payment.notFound */
export async function lockBoth(
  trx: LiveTrx,
  orderId: string,
): Promise<{ order: OrderRow; record: RecordRow | undefined }> {
  const found = await trx
    .selectFrom('payorder')
    .select(['bizType', 'bizId'])
    .where('id', '=', orderId)
    .executeTakeFirst()
  if (!found) throw refuse('payment.notFound')
  const record = found.bizType === PayBizType.examFee ? await lockRecord(trx, found.bizId) : undefined
  return { order: await lockOrder(trx, orderId), record }
}

/** What a move of an order writes besides the state. */
type OrderChanges = Partial<
  Pick<
    OrderRow,
    | 'transactionId'
    | 'payerId'
    | 'payTime'
    | 'paidAmount'
    | 'exceptReason'
    | 'notifyId'
    | 'notifyTime'
    | 'closeReason'
    | 'refundAmount'
  >
>

/**
 * Moves an order from the state it was read in.
 * @throws when somebody moved it meanwhile, which the lock makes impossible
 */
export async function moveOrder(
  trx: LiveTrx,
  order: Pick<OrderRow, 'id' | 'orderStatus'>,
  to: OrderRow['orderStatus'],
  changes: OrderChanges,
): Promise<void> {
  const moved = await trx
    .updateTable(withRemoved('payorder'))
    .set(eb => ({ ...changes, orderStatus: to, version: eb('version', '+', 1) }))
    .where('id', '=', order.id)
    .where('orderStatus', '=', order.orderStatus)
    .returningAll()
    .executeTakeFirst()
  if (!moved) throw new Error(`pay order ${order.id} changed under its lock`)
  if (to !== OrderStatus.exception || order.orderStatus === OrderStatus.exception) return
  await emit(trx, payorderEvents.oddFound, [moved])
  if ((moved.paidAmount ?? 0) > 0) await emit(trx, payorderEvents.odd, [moved])
}

/** A slip. @throws row.notFound */
export async function slipOf(trx: LiveTrx, refundId: string): Promise<RefundRow> {
  const slip = await trx.selectFrom('payrefund').selectAll().where('id', '=', refundId).executeTakeFirst()
  if (!slip) throw refuse('row.notFound')
  return slip
}

/** What a move of a slip writes besides its state. */
type RefundChanges = Partial<
  Pick<RefundRow, 'approveUser' | 'channelRefundId' | 'successTime' | 'errMsg' | 'queryTime'>
>

/** Moves a slip from a state; false when it is not in it. */
export async function moveRefund(
  trx: LiveTrx,
  slip: Pick<RefundRow, 'id'>,
  from: RefundRow['refundStatus'],
  to: RefundRow['refundStatus'],
  changes: RefundChanges = {},
): Promise<boolean> {
  const moved = await trx
    .updateTable(withRemoved('payrefund'))
    .set({ ...changes, refundStatus: to })
    .where('id', '=', slip.id)
    .where('refundStatus', '=', from)
    .returningAll()
    .executeTakeFirst()
  if (!moved) return false
  await tellRefund(trx, moved)
  return true
}

/** A slip with the exam that its record is of. */
async function withExam(trx: LiveTrx, slip: RefundRow) {
  const record = slip.payRecordId === null ? undefined : await findRecord(trx, slip.payRecordId)
  return { ...slip, examId: record?.examId ?? null }
}

/** Tells the payer and finance where a refund stands. */
async function tellRefund(trx: LiveTrx, slip: RefundRow): Promise<void> {
  const row = await withExam(trx, slip)
  if (slip.refundStatus === RefundStatus.processing) return emit(trx, payrefundEvents.started, [row])
  if (slip.refundStatus === RefundStatus.succeeded) return emit(trx, payrefundEvents.done, [row])
  if (slip.refundStatus === RefundStatus.rejected) return emit(trx, payrefundEvents.rejected, [row])
  if (slip.refundStatus === RefundStatus.requested) return
  await emit(trx, payrefundEvents.failed, [row])
  await emit(trx, payrefundEvents.stuck, [row])
}

/** Tells finance that a refund waits for a decision. */
export const tellAsked = async (trx: LiveTrx, slip: RefundRow): Promise<void> =>
  emit(trx, payrefundEvents.asked, [await withExam(trx, slip)])

/** A record whose refund came to nothing is paid again. */
export async function backToPaid(trx: LiveTrx, order: OrderRow, record: RecordRow | undefined): Promise<void> {
  if (record?.payOrderId === order.id && record.payState === PayState.refunding)
    await moveRecord(trx, record, PayState.paid)
}

/** What a slip of the system says: the money that came, in fen, and why it may not count. */
interface SlipText {
  amount: number
  reason: string
}

/** Makes the slip of an exception. The system itself asks, so that any person may approve. */
export async function insertSystemSlip(trx: LiveTrx, order: OrderRow, text: SlipText, now: Date): Promise<void> {
  const slip = await trx
    .insertInto('payrefund')
    .values({
      refundNo: newPayNumber('TK', now),
      payOrderId: order.id,
      payRecordId: order.bizType === PayBizType.examFee ? order.bizId : null,
      ...text,
      refundStatus: RefundStatus.requested,
      applyUser: systemUser,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await tellAsked(trx, slip)
}

/** Slips after which no money has gone back and none is on its way. */
const harmless: readonly number[] = [RefundStatus.requested, RefundStatus.rejected, RefundStatus.failed]

/**
 * The waiting slip of an order, locked; undefined when there is none; `approved` when one was approved, so that money went
 * back or may be on its way.
 */
export async function correctableSlip(trx: LiveTrx, orderId: string): Promise<RefundRow | undefined | 'approved'> {
  const slips = await trx
    .selectFrom('payrefund')
    .selectAll()
    .where('payOrderId', '=', orderId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (slips.some(slip => !harmless.includes(slip.refundStatus))) return 'approved'
  return slips.find(slip => slip.refundStatus === RefundStatus.requested)
}

/** Ends a waiting slip because the money counts after all. */
export async function withdrawSlip(trx: LiveTrx, slip: RefundRow): Promise<void> {
  const changes = { errMsg: '渠道更正了金额，款项已计入缴费' }
  const moved = await moveRefund(trx, slip, RefundStatus.requested, RefundStatus.rejected, changes)
  if (!moved) throw new Error(`refund ${slip.id} changed under its lock`)
}

/** Puts right what a waiting slip is about. */
export async function correctSlip(trx: LiveTrx, slip: RefundRow, text: SlipText): Promise<void> {
  const moved = await trx
    .updateTable('payrefund')
    .set(text)
    .where('id', '=', slip.id)
    .where('refundStatus', '=', RefundStatus.requested)
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) === 0) throw new Error(`refund ${slip.id} changed under its lock`)
}
