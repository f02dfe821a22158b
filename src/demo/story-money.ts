import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { InvoiceStatus, InvoiceType, OrderStatus, PayChannelNo, RefundStatus } from '#schemas/dictionaries'
import { compareBill } from '../modules/payment/server/reconciliation.ts'
import { settleRefund } from '../modules/payment/server/refund-settle.ts'
import { writeBill } from '../platform/channels/pay/sandbox/bill.ts'
import { sandboxMerchant } from '../platform/channels/pay/sandbox/merchant.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveAcross } from '../platform/database/live.ts'
import { wireDay, wireTime } from '../platform/http/server/wire.ts'
import { actAs } from './caller.ts'

/** Hours after which the bill of a day is certainly there. */
const billHours = 36

/** Orders of the demonstration that are paid, the latest first. */
const paidOrders = (app: FastifyInstance, limit: number) =>
  app.db
    .selectFrom('payorder as o')
    .innerJoin('payrecord as r', 'r.id', 'o.bizId')
    .select(['o.id', 'o.orderNo', 'o.amount', 'r.id as recordId', 'r.examId', 'r.itemId'])
    .where('o.tenantId', '=', firstTenant)
    .where('o.orderStatus', '=', OrderStatus.paid)
    .where('r.invoiceStatus', '=', InvoiceStatus.none)
    .orderBy('o.payTime', 'desc')
    .orderBy('o.id')
    .limit(limit)
    .execute()

/** A refund that the second person still has to approve, one that was rejected, and one whose money is back. */
export async function playRefunds(app: FastifyInstance): Promise<void> {
  const [waiting, refused, done] = await paidOrders(app, 3)
  if (!waiting || !refused || !done) return
  await actAs(app, 'caiwu', async ({ post }) => {
    await post(`/blade-payOrder/payorder/refund?id=${waiting.id}`, { reason: '考生因病放弃考试，申请退费' })
    await post(`/blade-payOrder/payorder/refund?id=${refused.id}`, { reason: '考生申请退费' })
    await post(`/blade-payOrder/payorder/refund?id=${done.id}`, { reason: '岗位取消，退回考务费' })
  })
  const slipOf = (payOrderId: string) =>
    app.db
      .selectFrom('payrefund')
      .selectAll()
      .where('payOrderId', '=', payOrderId)
      .where('refundStatus', '=', RefundStatus.requested)
      .executeTakeFirstOrThrow()
  const rejected = await slipOf(refused.id)
  await actAs(app, 'jigou', ({ post }) =>
    post(`/blade-payOrder/payrefund/reject?id=${rejected.id}`, { reason: '已过退费期限，公告第六条' }),
  )
  const slip = await slipOf(done.id)
  const now = app.now()
  const approver = await app.db
    .selectFrom('user')
    .select('id')
    .where('account', '=', 'jigou')
    .where('tenantId', '=', firstTenant)
    .executeTakeFirstOrThrow()
  // The sandbox answers only once the server listens: what it would have said of this refund is written down for it.
  await app.db.transaction().execute(async trx => {
    const channelRefundId = `50300${slip.refundNo}`
    await trx
      .updateTable('payrefund')
      .set({ refundStatus: RefundStatus.processing, approveUser: approver.id, updateTime: now })
      .where('id', '=', slip.id)
      .execute()
    await sql`INSERT INTO pay_sandbox_refund ("refundNo", "refundId", "orderNo", amount, reason, "notifyUrl", "createTime", "dueTime")
      VALUES (${slip.refundNo}, ${channelRefundId}, ${done.orderNo}, ${slip.amount}, ${slip.reason}, '', ${now}, ${now})`.execute(
      trx,
    )
    await settleRefund(
      liveAcross(trx, { now: app.now }),
      {
        state: 'SUCCESS',
        refundNo: slip.refundNo,
        orderNo: done.orderNo,
        channelRefundId,
        amount: slip.amount,
        successTime: now,
      },
      now,
    )
  })
}

/** Invoices: one asked for, one issued, one reversed. */
export async function playInvoices(app: FastifyInstance): Promise<void> {
  const records = (await paidOrders(app, 6)).slice(3)
  const numbers = ['35042600001234', '35042600001235']
  for (const [i, { recordId }] of records.entries()) {
    const { account } = await app.db
      .selectFrom('payrecord as r')
      .innerJoin('user as u', 'u.id', 'r.userId')
      .select('u.account')
      .where('r.id', '=', recordId)
      .executeTakeFirstOrThrow()
    await actAs(app, account, ({ post }) =>
      post('/blade-payrecord/payrecord/applyInvoice', {
        id: recordId,
        invoiceType: InvoiceType.individual,
        invoiceTitle: '个人',
        invoiceEmail: `invoice${i}@example.com`,
      }),
    )
    const invoiceNo = numbers[i - 1]
    if (!invoiceNo) continue
    await actAs(app, 'caiwu', ({ post }) =>
      post(`/blade-payrecord/payrecord/confirmInvoice?id=${recordId}`, { invoiceNo }),
    )
    if (i === 2) await actAs(app, 'caiwu', ({ post }) => post(`/blade-payrecord/payrecord/redInvoice?id=${recordId}`))
  }
}

/** The bill of a day compared with our books, with one order that the channel charged differently. */
export async function playReconciliation(app: FastifyInstance): Promise<void> {
  const latest = await app.db
    .selectFrom('payorder')
    .select(['orderNo', 'payTime'])
    .where('tenantId', '=', firstTenant)
    .where('orderStatus', '=', OrderStatus.paid)
    .where('payTime', '<', new Date(app.now().getTime() - billHours * 3_600_000))
    .orderBy('payTime', 'desc')
    .executeTakeFirst()
  if (!latest?.payTime) return
  const day = wireDay(latest.payTime)
  // The channel's books say another amount of one order than ours.
  await sql`UPDATE pay_sandbox_order SET fault = coalesce(fault, '{}'::jsonb) || '{"amount": 9900}'::jsonb
    WHERE "orderNo" = ${latest.orderNo}`.execute(app.db)
  const { secrets } = app
  const merchant = sandboxMerchant(secrets.pair('payMerchant'), secrets.pair('payPlatform'), secrets.get('payNotify'))
  const bill = await writeBill(app.pool, merchant, day, app.now())
  if (!bill) return
  const finance = await app.db
    .selectFrom('user')
    .select('id')
    .where('account', '=', 'caiwu')
    .where('tenantId', '=', firstTenant)
    .executeTakeFirstOrThrow()
  const key = { tenantId: firstTenant, channel: PayChannelNo.simulated, day }
  await compareBill(app, key, finance.id, Buffer.from(bill))
}

/** The ledger of an exam's payments, frozen. */
export async function playLedger(app: FastifyInstance): Promise<void> {
  const [paid] = await paidOrders(app, 1)
  if (!paid) return
  const now = app.now()
  await actAs(app, 'caiwu', ({ post }) =>
    post('/blade-exportpaymain/exportpaymain/create', {
      examId: paid.examId,
      itemId: paid.itemId,
      startTime: wireTime(new Date(now.getTime() - 40 * 86_400_000)),
      endTime: wireTime(now),
    }),
  )
}
