import type { FastifyInstance } from 'fastify'
import { reconciliationEvents } from '#resources/payment/events'
import type { reconciliation } from '#resources/payment/reconciliation'
import type { reconciliationitem } from '#resources/payment/reconciliationitem'
import { HandleStatus, OrderStatus, ReconDiff, ReconStatus } from '#schemas/dictionaries'
import type { Reconciliation } from '#schemas/payment/reconciliation'
import { emit } from '../../../crud/emit.ts'
import type { ActionContext, HandlerOf, Hooks } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { storeFile } from '../../../crud/stored-file.ts'
import { isSame } from '../../../engine/blank.ts'
import { type Bill, BillError } from '../../../platform/channels/pay/bill.ts'
import { ChannelError } from '../../../platform/channels/pay/channel.ts'
import {
  type Live,
  type LiveTrx,
  liveAcross,
  liveFor,
  removeRows,
  withRemoved,
} from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { isRefusal, Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { billAge, compareMovements, type Difference, sumOf } from '../rules/reconcile.ts'
import { type ChannelNo, channelOf, type PayContext, payContext, programIn, unavailable } from './context.ts'
import { type DayKey, linesOf, localBooks } from './day-books.ts'
import { idInScope } from './in-scope.ts'
import { askAndSettle } from './order-at-channel.ts'

/** A day that was compared stays; one that is settled does not change. */
export const reconciliationHooks: Hooks<typeof Reconciliation> = {
  async beforeSubmit(_ctx, given, before) {
    if (!before) return
    if (before.reconStatus === ReconStatus.resolved) throw refuse('payment.daySettled')
    const compared = before.reconStatus !== ReconStatus.pending
    const moved = (['billDate', 'channel', 'billFile'] as const).some(
      name => name in given && !isSame(given[name], before[name]),
    )
    if (compared && moved) throw refuse('row.wrongState')
  },
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.reconStatus === ReconStatus.resolved)) throw refuse('payment.daySettled')
  },
}

/** What a reconciliation came to. */
export interface Reconciled {
  id: string
  reconStatus: Reconciliation['reconStatus']
  diffNum: number
}

/**
 * Fetches the channel's bill of a day and compares it with our books.
 * @throws payment.billNotReady while there is none, input.invalid when it must be brought by hand, payment.daySettled
 * when the day is settled, payment.channelUnavailable
 */
export async function runReconciliation(app: FastifyInstance, key: DayKey, userId: string): Promise<Reconciled> {
  const open = payContext(app).channels.get(key.channel)
  if (!open) throw refuse('input.invalid', { 说明: '该渠道不能自动取账单，请上传账单' })
  const age = billAge(key.day, app.now())
  if (age === 'early') throw refuse('payment.billNotReady')
  if (age === 'gone') throw refuse('input.invalid', { 说明: '渠道只保留三个月的账单，请上传账单' })
  const text = await open.channel.tradeBill(key.day).catch((error: unknown) => {
    throw error instanceof ChannelError && error.noBill ? refuse('payment.billNotReady') : unavailable(error)
  })
  return compareBill(app, key, userId, Buffer.from(text))
}

/**
 * Compares a bill with our books. Orders that the channel was paid for and we still hold open are settled first, and
 * noted.
 * @throws input.invalid when the file is no bill, payment.daySettled when the day is settled
 */
export async function compareBill(app: FastifyInstance, key: DayKey, userId: string, bytes: Buffer) {
  const bill = read(app, key, bytes)
  const repaired = await repair(app, key, bill)
  const { tenantId } = key
  const now = app.now()
  return liveFor(app, { tenantId, userId, now: () => now })
    .transaction()
    .execute(async trx => {
      const id = await lockDay(trx, key)
      const owner = { tenantId, userId, ownerType: 'bill', ownerId: id } as const
      const made = { ...owner, bytes, name: `账单-${key.day}.csv`, contentType: 'text/csv' }
      const file = await storeFile(app, trx, made, now)
      return write(trx, key, { id, userId, bill, repaired, file, now })
    })
}

/** A bill in the words of its channel. */
function read(app: FastifyInstance, key: DayKey, bytes: Buffer): Bill {
  try {
    return channelOf(payContext(app), key).readBill(bytes.toString('utf8'))
  } catch (error) {
    if (error instanceof BillError) throw refuse('input.invalid', { 说明: error.message })
    throw error
  }
}

/** Settles orders that the bill says are paid and we do not, asking the channel itself. @returns their numbers */
async function repair(app: FastifyInstance, key: DayKey, bill: Bill): Promise<Set<string>> {
  const ctx = payContext(app)
  const { known, trades } = await linesOf(ctx.db, bill, key.tenantId)
  const paid = new Set(trades.map(one => one.no))
  // An exception is asked about too: a wrong message may have been corrected since.
  const unpaid: readonly number[] = [OrderStatus.unpaid, OrderStatus.closed, OrderStatus.exception]
  const repaired = new Set<string>()
  if (!ctx.channels.has(key.channel)) return repaired
  for (const order of known.filter(one => paid.has(one.orderNo) && unpaid.includes(one.orderStatus))) {
    const asked = await askAndSettle(ctx, order).catch(() => null)
    if (asked?.outcome === 'paid' || asked?.outcome === 'exception') repaired.add(order.orderNo)
  }
  return repaired
}

/** The row of a day, made when it is missing, locked. @throws payment.daySettled when it is settled */
async function lockDay(db: Live, { channel, day: billDate }: DayKey): Promise<string> {
  await db
    .insertInto('reconciliation')
    .values({ channel, billDate })
    .onConflict(conflict => conflict.columns(['channel', 'billDate']).doNothing())
    .execute()
  const row = await db
    .selectFrom('reconciliation')
    .select(['id', 'reconStatus'])
    .where('channel', '=', channel)
    .where('billDate', '=', billDate)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()
  if (row.reconStatus === ReconStatus.resolved) throw refuse('payment.daySettled')
  return row.id
}

interface Writing {
  id: string
  userId: string
  bill: Bill
  repaired: ReadonlySet<string>
  file: { id: string; sha256: string }
  now: Date
}

async function write(own: LiveTrx, key: DayKey, writing: Writing): Promise<Reconciled> {
  const { id, userId, bill, repaired, file, now } = writing
  const { known, trades, refunds } = await linesOf(liveAcross(own, { now: () => now }), bill, key.tenantId)
  const local = await localBooks(own, key)
  const differences = [
    ...compareMovements(local.trades, trades, new Set(known.map(one => one.orderNo))),
    ...compareMovements(local.refunds, refunds),
  ]
  const ways = await decidedBefore(own, id)
  const items = differences.map(one => ({ ...one, handleWay: ways.get(keyOf(one)) ?? null }))
  const notes = trades
    .filter(one => repaired.has(one.no) && !items.some(item => item.orderNo === one.no))
    .map(({ no: orderNo, transactionId, amount }) => ({
      diffType: ReconDiff.channelOnly,
      orderNo,
      transactionId,
      localAmount: null,
      channelAmount: amount,
      handleWay: '自动补单',
    }))
  // The person of a difference is who handles it: nobody yet.
  await replaceItems(programOf(own, key, now), id, [...items, ...notes])
  const open = items.filter(item => item.handleWay === null).length
  const uneven = open > 0 ? ReconStatus.different : ReconStatus.resolved
  const reconStatus = items.length === 0 ? ReconStatus.balanced : uneven
  await own
    .updateTable('reconciliation')
    .set({
      localNum: local.trades.length,
      localAmount: sumOf(local.trades),
      refundLocal: sumOf(local.refunds),
      channelNum: trades.length,
      channelAmount: sumOf(trades),
      refundChannel: sumOf(refunds),
      diffNum: items.length,
      reconStatus,
      billFile: file.id,
      sha256: file.sha256,
      ...(reconStatus === ReconStatus.resolved && { handleUser: userId, handleTime: now }),
    })
    .where('id', '=', id)
    .execute()
  if (reconStatus === ReconStatus.different)
    await emit(own, reconciliationEvents.differs, [{ id, billDate: key.day, diffNum: items.length }], {
      amount: items.reduce((sum, one) => sum + Math.abs((one.localAmount ?? 0) - (one.channelAmount ?? 0)), 0),
    })
  return { id, reconStatus, diffNum: items.length }
}

const keyOf = (one: { diffType: number; orderNo: string | null }): string => `${one.diffType} ${one.orderNo}`

/** What was decided about differences of an earlier run: the same difference need not be decided twice. */
async function decidedBefore(db: Live, reconId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('reconciliationitem')
    .select(['diffType', 'orderNo', 'handleWay'])
    .where('reconId', '=', reconId)
    .where('handleStatus', '=', HandleStatus.handled)
    .execute()
  return new Map(rows.map(row => [keyOf(row), row.handleWay ?? '']))
}

type Item = Difference & { handleWay: string | null }

async function replaceItems(db: Live, reconId: string, items: readonly Item[]): Promise<void> {
  await removeRows(db, 'reconciliationitem').where('reconId', '=', reconId).execute()
  for (let at = 0; at < items.length; at += 1000)
    await db
      .insertInto('reconciliationitem')
      .values(
        items.slice(at, at + 1000).map(item => ({
          reconId,
          ...item,
          transactionId: item.transactionId || null,
          handleStatus: item.handleWay === null ? HandleStatus.open : HandleStatus.handled,
        })),
      )
      .execute()
}

/** The day and the channel of a row of the caller's. @throws row.notFound */
export async function dayById(of: Pick<ActionContext, 'app' | 'person' | 'id'>): Promise<DayKey> {
  const { app, person, id } = of
  const row = await scoped(app, person, 'reconciliation')
    .select(['channel', 'billDate'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return { tenantId: person.tenantId, channel: row.channel, day: row.billDate }
}

/** Compares a day once more with the channel's own bill. @throws row.notFound and as {@link runReconciliation} */
export const compareAgain: HandlerOf<typeof reconciliation, 'again'> = async ctx => {
  await runReconciliation(ctx.app, await dayById(ctx), ctx.person.userId)
}

/**
 * Decides on one difference; the last one settles the day.
 * @throws row.notFound, input.invalid without a way, payment.daySettled when the day is settled
 */
export const handleDifference: HandlerOf<typeof reconciliationitem, 'handle'> = async ctx => {
  const itemId = await idInScope(ctx, 'reconciliationitem', 'row.notFound')
  const handleWay = ctx.values.handleWay.trim().slice(0, 255)
  if (!handleWay) throw refuse('input.invalid', { 说明: '请输入处理方式' })
  const { userId } = ctx.person
  return ctx.db.transaction().execute(async trx => {
    const item = await trx
      .selectFrom('reconciliationitem')
      .select(['reconId', 'handleStatus', 'handleWay', 'updateUser'])
      .where('id', '=', itemId)
      .executeTakeFirst()
    if (!item) throw refuse('row.notFound')
    const day = await trx
      .selectFrom(withRemoved('reconciliation'))
      .select(['id', 'reconStatus', 'diffNum'])
      .where('id', '=', item.reconId)
      .forNoKeyUpdate()
      .executeTakeFirstOrThrow()
    const diffNum = day.diffNum ?? 0
    const isDone = item.handleStatus === HandleStatus.handled && item.handleWay === handleWay
    if (isOwnRepeat(item, isDone, { userId })) return { reconStatus: day.reconStatus, diffNum }
    if (day.reconStatus === ReconStatus.resolved) throw refuse('payment.daySettled')
    await trx
      .updateTable('reconciliationitem')
      .set({ handleStatus: HandleStatus.handled, handleWay })
      .where('id', '=', itemId)
      .execute()
    const left = await trx
      .selectFrom('reconciliationitem')
      .select('id')
      .where('reconId', '=', day.id)
      .where('handleStatus', '=', HandleStatus.open)
      .executeTakeFirst()
    const reconStatus = left ? ReconStatus.different : ReconStatus.resolved
    const done = left ? {} : { handleUser: userId, handleTime: ctx.now }
    await trx
      .updateTable('reconciliation')
      .set({ reconStatus, ...done })
      .where('id', '=', day.id)
      .execute()
    return { reconStatus, diffNum }
  })
}

/** Milliseconds after the start of a day at which yesterday is compared: 10:30. */
const billTime = 10.5 * 3_600_000
const oneDay = 86_400_000

/**
 * Compares yesterday for every tenant that took money then, once the bill is there and unless it was done.
 * @returns errors that only delayed something
 */
export async function reconcileYesterday(app: FastifyInstance): Promise<unknown[]> {
  const start = new Date(`${wireDay(app.now())}T00:00:00+08:00`)
  if (app.now().getTime() < start.getTime() + billTime) return []
  const failures: unknown[] = []
  const ctx = payContext(app)
  for (const channel of ctx.channels.keys())
    for (const key of await openDays(ctx, channel, start))
      await runReconciliation(app, key, '0').catch(error => {
        if (!(error instanceof Refusal) || isRefusal(error, 'payment.channelUnavailable')) failures.push(error)
      })
  return failures
}

/** The day before `start` of every tenant that took money at a channel then, unless it was compared. */
async function openDays(ctx: PayContext, channel: ChannelNo, start: Date): Promise<DayKey[]> {
  const before = new Date(start.getTime() - oneDay)
  const yesterday = wireDay(before)
  const tenants = await ctx.db
    .selectFrom('payorder')
    .select('tenantId')
    .distinct()
    .where('channel', '=', channel)
    .where('payTime', '>=', before)
    .where('payTime', '<', start)
    .execute()
  const open: DayKey[] = []
  for (const { tenantId } of tenants) {
    const compared = await programIn(ctx, { tenantId })
      .selectFrom('reconciliation')
      .select('id')
      .where('channel', '=', channel)
      .where('billDate', '=', yesterday)
      .where('reconStatus', '<>', ReconStatus.pending)
      .executeTakeFirst()
    if (!compared) open.push({ tenantId, channel, day: yesterday })
  }
  return open
}
