import type { FastifyInstance } from 'fastify'
import { LedgerType, MsgStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { isQuiet } from '../../../platform/channels/quiet.ts'
import { readQuietHours } from '../../../platform/channels/quiet-hours.ts'
import { missingParams } from '../../../platform/channels/sms/sms-text.ts'
import { type Live, liveAcross } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { enterSend } from './enter-send.ts'
import { finishSends } from './finish.ts'
import { moveBalance } from './ledger.ts'
import { putInNotices, withoutAccount } from './notices.ts'
import { lockSend, type SendRow, templateOf } from './rows.ts'

/** Moves a sending from a state it was read in under its lock. */
export async function moveSend(
  db: Live,
  send: SendRow,
  sendStatus: SendRow['sendStatus'],
  changes: Partial<Pick<SendRow, 'amount' | 'sendTime'>> = {},
): Promise<void> {
  await db
    .updateTable('send')
    .set(eb => ({ ...changes, sendStatus, version: eb('version', '+', 1) }))
    .where('id', '=', send.id)
    .execute()
}

/**
 * Makes sure that a sending can go out: somebody receives it, and every message has its values.
 * @throws messages.noReceivers, messages.parametersMissing with the phones, masked, that lack something
 */
export async function checkReady(db: Live, send: SendRow): Promise<void> {
  const template = await templateOf(db, send)
  const rows = await db
    .selectFrom('sendmessage')
    .select(['name', 'phoneMask', 'params'])
    .where('sendId', '=', send.id)
    .execute()
  if (rows.length === 0) throw refuse('messages.noReceivers')
  const lacking = rows.flatMap(({ name, phoneMask, params }) => {
    const missing = missingParams(template.templateContent, (params ?? {}) as Record<string, string>)
    return missing.length > 0 ? [{ name: name ?? '', phone: phoneMask ?? '', missing: missing.join('、') }] : []
  })
  const names = [...new Set(lacking.flatMap(one => one.missing.split('、')))]
  if (names.length > 0) throw refuse('messages.parametersMissing', { 参数: names.join('、') }, lacking.slice(0, 100))
}

/**
 * Pays a sending from the balance: what it needs is set aside until it goes out or is cancelled. One that costs nothing
 * is ready by this, too.
 * @throws row.notFound, messages.balanceTooLow, messages.alreadySent, messages.noReceivers, messages.parametersMissing
 */
export async function payByBalance(app: FastifyInstance, person: Person, sendId: string): Promise<void> {
  const { tenantId } = person
  await liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const send = await lockSend(trx, sendId)
      if (isOwnRepeat(send, send.sendStatus === SendStatus.queued, person)) return
      const isOpen = send.sendStatus === SendStatus.draft || send.sendStatus === SendStatus.unpaid
      if (!isOpen) throw refuse('messages.alreadySent')
      await checkReady(trx, send)
      const used = { tenantId, changeType: LedgerType.use, refType: 'send', refId: send.id } as const
      await moveBalance(trx, { ...used, num: -(send.segNum ?? 0) })
      await moveSend(trx, send, SendStatus.queued, { amount: 0 })
      if (send.planTime) await enterSend(app, trx, { sendId: send.id, tenantId, runAt: send.planTime })
    })
}

/**
 * Ends a sending that has not gone out; what was set aside for it comes back.
 * @param trx a transaction of the person
 * @throws row.notFound, messages.alreadySent
 */
export async function cancelSend(
  trx: Live,
  sendId: string,
  { tenantId, userId }: Pick<Person, 'tenantId' | 'userId'>,
): Promise<void> {
  const send = await lockSend(trx, sendId)
  if (isOwnRepeat(send, send.sendStatus === SendStatus.cancelled, { userId })) return
  const isSent = send.sendStatus >= SendStatus.sending
  if (isSent) throw refuse('messages.alreadySent')
  if (send.sendStatus === SendStatus.queued) {
    const back = { tenantId, changeType: LedgerType.return, refType: 'send', refId: send.id } as const
    await moveBalance(trx, { ...back, num: send.segNum ?? 0 })
  }
  await trx.updateTable('sendmessage').set({ msgStatus: MsgStatus.cancelled }).where('sendId', '=', sendId).execute()
  await moveSend(trx, send, SendStatus.cancelled)
}

/** How many people a sending is for, and how many of them its notice does not reach, if it has one. */
export interface Started {
  accepted: number
  noAccount: number
}

/**
 * Lets a paid sending go out now: its notice stands in the receivers' notices at once, text messages are taken by the
 * queue.
 * @param anyTime people may be disturbed at night
 * @throws row.notFound, messages.orderUnpaid when it is not paid, messages.alreadySent when it went out,
 * messages.noReceivers also when a notice alone would reach nobody, messages.parametersMissing, input.invalid at night
 * without `anyTime`
 */
export async function startSend(
  app: FastifyInstance,
  person: Person,
  sendId: string,
  anyTime: boolean,
): Promise<Started> {
  const now = app.now()
  return liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const send = await lockSend(trx, sendId)
      const isOut = send.sendStatus >= SendStatus.sending && send.sendStatus !== SendStatus.cancelled
      if (isOwnRepeat(send, isOut, person)) {
        const noAccount = send.sendType === SendType.sms ? 0 : await withoutAccount(trx, send.id)
        return { accepted: send.num ?? 0, noAccount }
      }
      const isFree = send.sendType === SendType.inbox
      const unpaid = send.sendStatus === SendStatus.draft || send.sendStatus === SendStatus.unpaid
      if (unpaid && !isFree) throw refuse('messages.orderUnpaid')
      if (!unpaid && send.sendStatus !== SendStatus.queued) throw refuse('messages.alreadySent')
      await checkReady(trx, send)
      const quiet = await readQuietHours(trx)
      if (isQuiet(now, quiet) && !anyTime)
        throw refuse(
          'input.invalid',
          { 说明: `${quiet.from}至${quiet.until}不宜打扰，请确认后再发送` },
          { confirm: true },
        )
      await moveSend(trx, send, SendStatus.sending, { sendTime: now })
      const accepted = send.num ?? 0
      if (send.sendType !== SendType.inbox)
        await enterSend(app, trx, { sendId: send.id, tenantId: person.tenantId, runAt: now })
      if (send.sendType === SendType.sms) return { accepted, noAccount: 0 }
      await putInNotices(trx, person.tenantId, [send.id], now)
      const noAccount = await withoutAccount(trx, send.id)
      if (send.sendType === SendType.inbox && noAccount >= accepted) throw refuse('messages.noReceivers')
      await finishSends(liveAcross(trx, { now: () => now }), now, send.id)
      return { accepted, noAccount }
    })
}
