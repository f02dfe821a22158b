import type { FastifyInstance } from 'fastify'
import { maskSealed } from '#engine'
import { DeliveryState } from '#schemas/dictionaries'
import { mailContacts } from '../../../platform/accounts/server/contacts.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { choicesOf, isUsed } from './choices.ts'
import type { TextOut } from './text-out.ts'

/**
 * Enters the e-mails of an event for some people, in the transaction in which their inbox has it: to those who want them, where the
 * exam wants them and the tenant has an account that sends.
 */
export async function mailOut(app: FastifyInstance, db: LiveTrx, tenantId: string, now: Date, out: TextOut) {
  const { event, examId, messages, until } = out
  if (messages.length === 0 || !isUsed(event, 'mail', await choicesOf(db, examId)) || !(await app.mail.isOn(db))) return
  const people = await mailContacts(
    app,
    db,
    tenantId,
    messages.map(one => one.userId),
  )
  if (people.length === 0) return
  const ids = new Map(messages.map(one => [one.userId, one.id]))
  await db
    .insertInto('delivery')
    .values(
      people.map(({ userId, email }) => ({
        messageId: ids.get(userId) ?? '',
        userId,
        examId,
        code: event.name,
        channel: 'mail' as const,
        address: app.vault.seal(email),
        addressHash: app.vault.hash(tenantId, email),
        addressMask: maskSealed(email),
        deliveryState: DeliveryState.waiting,
        goAt: now,
        until,
        tryNum: 0,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Calls off what has not gone out, because what it says is over. */
export async function callOffDeliveries(db: LiveTrx, messageIds: readonly string[]): Promise<void> {
  if (messageIds.length === 0) return
  await db
    .updateTable('delivery')
    .set({ deliveryState: DeliveryState.cancelled })
    .where('messageId', 'in', [...messageIds])
    .where('deliveryState', '=', DeliveryState.waiting)
    .execute()
}
