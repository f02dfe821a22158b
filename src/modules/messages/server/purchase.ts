import type { Selectable } from 'kysely'
import { LedgerType, SendpayStatus, SendStatus } from '#schemas/dictionaries'
import {
  type AnyTrx,
  type Live,
  type LiveDatabase,
  type LiveTrx,
  liveFor,
  withRemoved,
} from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { balanceOf, moveBalance } from './ledger.ts'
import { lockSend } from './rows.ts'

/** A purchase of messages as the database gives it. */
export type PurchaseRow = Selectable<LiveDatabase['sendpay']>

/** A purchase, locked until the transaction ends. */
export function lockPurchase(trx: LiveTrx, id: string): Promise<PurchaseRow | undefined> {
  return trx.selectFrom('sendpay').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Why money for a purchase may not count; null when it does. */
export function purchaseObjection({ sendPayStatus }: PurchaseRow): string | null {
  if (sendPayStatus === SendpayStatus.unpaid || sendPayStatus === SendpayStatus.unconfirmed) return null
  return sendPayStatus === SendpayStatus.confirmed ? '重复支付' : '关闭后到账'
}

/**
 * Books a purchase whose money is here: the messages come to the balance once, and the sending that waited for them
 * takes what it needs.
 * @param by whose purchase it is, and who or what says that the money is here
 * @throws messages.alreadyConfirmed when it was booked or ended
 */
export async function completePurchase(
  trx: AnyTrx,
  purchase: PurchaseRow,
  by: { tenantId: string; payOrderId?: string; userId: string; remark?: string },
  now: Date,
): Promise<void> {
  const { id, num, sendId } = purchase
  const { tenantId } = by
  // Who last changed a purchase or a sending is who asked for it, whoever has confirmed the money.
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const booking = liveFor(trx, { tenantId, userId: by.userId, now: () => now })
  const changes = { ...(by.payOrderId && { payOrderId: by.payOrderId }), ...(by.remark && { remark: by.remark }) }
  const moved = await db
    .updateTable('sendpay')
    .set({ ...changes, sendPayStatus: SendpayStatus.confirmed, sureUser: by.userId, sureTime: now })
    .where('id', '=', id)
    .where('sendPayStatus', 'in', [SendpayStatus.unpaid, SendpayStatus.unconfirmed])
    .executeTakeFirst()
  if (Number(moved.numUpdatedRows) === 0) throw refuse('messages.alreadyConfirmed')
  const expireTime = await expiryOf(db, purchase, now)
  const bought = { tenantId, changeType: LedgerType.purchase, num, refType: 'sendpay', refId: id, expireTime } as const
  await moveBalance(booking, bought)
  if (sendId) await takeFor(db, booking, tenantId, sendId)
}

async function expiryOf(db: Live, { packageId }: PurchaseRow, now: Date): Promise<Date | null> {
  const row = await db
    .selectFrom(withRemoved('sendpackages as p'))
    .select('p.validDays')
    .where('p.id', '=', packageId)
    .executeTakeFirst()
  return row?.validDays ? new Date(now.getTime() + row.validDays * 86_400_000) : null
}

/** Gives a sending that waits for its payment what it needs; when the balance does not reach, it is a draft again. */
async function takeFor(db: Live, booking: Live, tenantId: string, sendId: string): Promise<void> {
  const send = await lockSend(db, sendId).catch(() => null)
  if (send?.sendStatus !== SendStatus.unpaid) return
  const need = send.segNum ?? 0
  const reaches = (await balanceOf(db)) >= need
  if (reaches) {
    const used = { tenantId, changeType: LedgerType.use, refType: 'send', refId: send.id } as const
    await moveBalance(booking, { ...used, num: -need })
  }
  await db
    .updateTable('send')
    .set(eb => ({ sendStatus: reaches ? SendStatus.queued : SendStatus.draft, version: eb('version', '+', 1) }))
    .where('id', '=', sendId)
    .execute()
}
