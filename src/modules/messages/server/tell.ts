import type { FastifyInstance } from 'fastify'
import { LedgerType, MsgStatus, SendStatus, SendType } from '#schemas/dictionaries'
import type { TellByText } from '../../../platform/accounts/server/extensions.ts'
import { tellTroubleIn } from '../../../platform/channels/sms/trouble.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { enterSend } from './enter-send.ts'
import { balanceOf, holdBalance, moveBalance } from './ledger.ts'
import { addReceivers, type Receiver, receiverOf, withLack, wordsFor } from './receivers.ts'
import { lockSend, openSend, type SendRow } from './rows.ts'
import { templateFor } from './text-codes.ts'

/** A sending leaves the balance and goes out by the queue. */
async function letGo(
  app: FastifyInstance,
  db: LiveTrx,
  { id: sendId, segNum }: Pick<SendRow, 'id' | 'segNum'>,
  tenantId: string,
  runAt: Date,
): Promise<void> {
  await moveBalance(db, { tenantId, changeType: LedgerType.use, refType: 'send', refId: sendId, num: -(segNum ?? 0) })
  await enterSend(app, db, { sendId, tenantId, runAt })
}

/**
 * Tells one person by a text message, charged to the balance. It goes out by the queue, and only if the
 * transaction is kept. Without a usable template, or without balance, nothing is sent and nothing else is hindered. Where nothing is
 * given for a name of the template, it stands among the sendings as failed.
 * @param db a transaction of the person
 * @returns whether a message is on its way
 */
export const tellByText: TellByText = async (app, db, { person, now }, { code, title, phone, params }) => {
  const { tenantId } = person
  const template = await templateFor(db, [code])
  if (!template) return false
  const receiver = withLack(template, receiverOf(app, tenantId, phone, null, params), now)
  const opening = { title, sendType: SendType.sms, sendStatus: SendStatus.sending, sendTime: now } as const
  await holdBalance(db, tenantId)
  if (!receiver.failed && (await balanceOf(db)) < wordsFor(opening, template, params).segments) return false
  const id = await openSend(db, template, now, opening)
  await addReceivers(db, await lockSend(db, id), template, [receiver])
  await letGo(app, db, await lockSend(db, id), tenantId, now)
  return !receiver.failed
}

/** Text messages to some people by one template. */
export interface Texts {
  /** Numbers of the templates, the best first. */
  codes: readonly string[]
  title: string
  examId: string | null
  receivers: readonly Receiver[]
  /** Not before then. */
  runAt: Date
}

/**
 * Tells people by text messages, charged to the balance, as a sending of its own. Without a usable template nothing is sent; where the
 * balance does not reach, the sending waits to be paid. Whoever has no value for a name of the template stands in it as failed.
 * @param db a transaction of the program
 * @returns whether there is a sending
 */
export async function tellManyByText(
  app: FastifyInstance,
  db: LiveTrx,
  { tenantId, now }: { tenantId: string; now: Date },
  { codes, title, examId, receivers, runAt }: Texts,
): Promise<boolean> {
  const template = await templateFor(db, codes)
  if (!template || receivers.length === 0) return false
  const given = receivers.map(one => withLack(template, one, now))
  const isLater = runAt > now
  const sendId = await openSend(db, template, now, {
    title,
    examId,
    sendStatus: SendStatus.unpaid,
    planTime: isLater ? runAt : null,
  })
  await addReceivers(db, await lockSend(db, sendId), template, given)
  const send = await lockSend(db, sendId)
  await holdBalance(db, tenantId)
  if ((await balanceOf(db)) < (send.segNum ?? 0)) {
    await tellTroubleIn(app, db, template, 'balance')
    return true
  }
  await db
    .updateTable('send')
    .set(isLater ? { sendStatus: SendStatus.queued } : { sendStatus: SendStatus.sending, sendTime: now })
    .where('id', '=', sendId)
    .execute()
  await letGo(app, db, send, tenantId, runAt)
  return true
}

/**
 * Calls off text messages that have not gone out yet, because what they say is over; what was set aside for them comes back.
 * @param messageIds messages of the inbox that they say, too
 * @param errMsg why, where it is no matter of course
 */
export async function callOffTexts(
  db: LiveTrx,
  tenantId: string,
  messageIds: readonly string[],
  errMsg: string | null = null,
): Promise<void> {
  if (messageIds.length === 0) return
  const off = await db
    .updateTable('sendmessage')
    .set({ msgStatus: MsgStatus.cancelled, errMsg })
    .where('messageId', 'in', [...messageIds])
    .where('msgStatus', 'in', [MsgStatus.queued, MsgStatus.held])
    .returning(['sendId', 'segments'])
    .execute()
  for (const id of new Set(off.map(one => one.sendId))) {
    const { sendStatus } = await lockSend(db, id)
    if (sendStatus !== SendStatus.queued && sendStatus !== SendStatus.sending) continue
    const num = off.filter(one => one.sendId === id).reduce((sum, { segments }) => sum + segments, 0)
    await moveBalance(db, { tenantId, changeType: LedgerType.return, refType: 'send', refId: id, num })
  }
}
