import type { FastifyInstance } from 'fastify'
import { maskSealed } from '#engine'
import { DeliveryState } from '#schemas/dictionaries'
import { formerAddresses } from '../../../platform/accounts/server/contact-changed.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { nightEnd } from '../rules/quiet.ts'
import { choicesOf, isUsed } from './choices.ts'
import type { TextOut } from './text-out.ts'
import { ways } from './ways.ts'

/**
 * Enters what goes out of an event to some people beside their inbox, in the transaction in which the inbox has it: by each way to those who
 * are reached by it and want it, where the exam wants it and the tenant has an account that sends.
 */
export async function deliveriesOut(app: FastifyInstance, db: LiveTrx, tenantId: string, out: TextOut) {
  const { event, eventId, examId, messages, until, from, quiet } = out
  if (messages.length === 0) return
  const choices = await choicesOf(db, examId)
  const goAt = event.urgent ? from : nightEnd(from, until, quiet)
  const ids = new Map(messages.map(one => [one.userId, one.id]))
  for (const { channel, isOn, contacts } of Object.values(ways)) {
    if (!isUsed(event, channel, choices) || !(await isOn(app, db, event, until))) continue
    const former = event.alsoFormer ? await formerAddresses(db, eventId, channel) : []
    const before = former
      .filter(({ userId }) => ids.has(userId))
      .map(one => ({ ...one, address: app.vault.open(one.address) }))
    const present = await contacts(app, db, tenantId, [...ids.keys()])
    // A message goes out once by each way: of two addresses to the one that whoever took the account over does not read.
    const people = [...before, ...present.filter(one => !before.some(({ userId }) => userId === one.userId))]
    if (people.length === 0) continue
    await db
      .insertInto('delivery')
      .values(
        people.map(({ userId, address }) => ({
          messageId: ids.get(userId) ?? '',
          userId,
          examId,
          code: event.name,
          channel,
          address: app.vault.seal(address),
          addressHash: app.vault.hash(tenantId, address),
          addressMask: maskSealed(address),
          deliveryState: DeliveryState.waiting,
          goAt,
          until,
          tryNum: 0,
        })),
      )
      .onConflict(conflict => conflict.doNothing())
      .execute()
  }
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
