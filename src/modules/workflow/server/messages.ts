import { maskSealed } from '#engine'
import { SendStatus, SendType } from '#schemas/dictionaries'
import { type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { putInNotices } from '../../messages/server/notices.ts'
import { addReceivers } from '../../messages/server/receivers.ts'
import { lockSend, recountSend } from '../../messages/server/rows.ts'
import { newPayNumber } from '../../payment/rules/pay-order.ts'
import type { FlowServer, Mover } from './action.ts'

/**
 * Puts a message into the notices of users, in the transaction of what it tells of.
 * @param users ids; those who are not there are left out
 */
export async function tellUsers(
  { vault }: FlowServer,
  trx: LiveTrx,
  { tenantId, now }: Mover,
  users: readonly string[],
  { title, content }: { title: string; content: string },
): Promise<void> {
  if (users.length === 0) return
  const db = liveFor(trx, { tenantId, userId: null, now: () => now })
  const rows = await db
    .selectFrom('user')
    .select(['id', 'realName', 'phone', 'phoneHash'])
    .where('id', 'in', [...new Set(users)])
    .execute()
  const receivers = rows.flatMap(({ id, realName, phone, phoneHash }) =>
    phone && phoneHash
      ? [{ userId: id, name: realName, phone, phoneHash, phoneMask: maskSealed(vault.open(phone)), params: {} }]
      : [],
  )
  if (receivers.length === 0) return
  const { id } = await db
    .insertInto('send')
    .values({
      sendNo: newPayNumber('FS', now),
      title: title.slice(0, 100),
      content: content.slice(0, 1000),
      sendType: SendType.inbox,
      sendStatus: SendStatus.sending,
      sendTime: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const own = { id: 'own', signName: '', templateContent: content.slice(0, 1000) }
  await addReceivers(db, await lockSend(db, id), own, receivers)
  await putInNotices(trx, tenantId, [id], now)
  await recountSend(db, id)
  await db
    .updateTable('send')
    .set({ sendStatus: SendStatus.done, successNum: receivers.length, failNum: 0 })
    .where('id', '=', id)
    .execute()
}
