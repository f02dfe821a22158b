import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { SendStatus, SendType } from '#schemas/dictionaries'
import { type AnyTrx, liveFor } from '../../../platform/database/live.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'
import { putInNotices } from './notices.ts'
import { recountSend } from './rows.ts'

/** What is said in the notices of some people, in plain text. */
export interface InboxMessage {
  tenantId: string
  userIds: readonly string[]
  title: string
  content: string
}

/**
 * Puts one message into the notices of people who have an account. It costs nothing, and is there when the transaction is kept.
 * @returns how many people it is for: those of the tenant who are there
 */
export async function tellInbox(
  app: Pick<FastifyInstance, 'vault'>,
  on: AnyTrx,
  { tenantId, userIds, title, content }: InboxMessage,
  now: Date,
): Promise<number> {
  const db = liveFor(on, { tenantId, userId: null, now: () => now })
  const people = await db
    .selectFrom('user')
    .select(['id', 'realName', 'phone', 'phoneMask'])
    .where('id', 'in', userIds.length > 0 ? [...userIds] : ['0'])
    .execute()
  if (people.length === 0) return 0
  const { id } = await db
    .insertInto('send')
    .values({
      sendNo: newPayNumber('FS', now),
      title: title.slice(0, 100),
      sendType: SendType.inbox,
      content: content.slice(0, 1000),
      sendStatus: SendStatus.done,
      sendTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('sendmessage')
    .values(
      people.map(one => ({
        sendId: id,
        name: one.realName?.slice(0, 20) ?? null,
        userId: one.id,
        phone: one.phone,
        // Several accounts may share a phone; each gets the message.
        phoneHash: app.vault.hash(tenantId, `${one.id} ${randomUUID()}`),
        phoneMask: one.phoneMask ?? '',
        params: '{}',
        content: content.slice(0, 1000),
        segments: 0,
      })),
    )
    .execute()
  await putInNotices(on, tenantId, [id], now)
  await recountSend(db, id)
  return people.length
}
