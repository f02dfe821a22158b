import type { FastifyInstance } from 'fastify'
import { maskSealed } from '#engine'
import { MsgStatus, SendType } from '#schemas/dictionaries'
import { fillTemplate, segmentsOf, signed, ungivenParams } from '../../../platform/channels/sms/sms-text.ts'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { mostReceivers } from '../rules/send-order.ts'
import { recountSend, type SendRow, type TextSource } from './rows.ts'

/** Somebody a message goes to. The phone stands as the database keeps it. */
export interface Receiver {
  name: string | null
  userId: string | null
  phone: string
  phoneHash: string
  phoneMask: string
  params: Record<string, string>
  /** The message of the inbox that it says, too. */
  messageId?: string
  /** Why nothing is sent to it, and since when. */
  failed?: { readonly errMsg: string; readonly sendTime: Date } | undefined
}

/** Why a template cannot be sent with some values: it names what nothing is given for. */
export function lackOf(
  { templateContent }: Pick<TextSource, 'templateContent'>,
  params: Readonly<Record<string, string>>,
) {
  const names = ungivenParams(templateContent, params)
  return names.length === 0 ? undefined : `模板中的${names.map(name => `{${name}}`).join('、')}没有内容，未发送`
}

/** A receiver as a sending has it: as failed, with the reason, where the template has a name that nothing is given for. */
export function withLack(template: Pick<TextSource, 'templateContent'>, receiver: Receiver, now: Date): Receiver {
  const errMsg = lackOf(template, receiver.params)
  return errMsg === undefined ? receiver : { ...receiver, failed: { errMsg, sendTime: now } }
}

/** A receiver of a phone that was typed. */
export function receiverOf(
  { vault }: Pick<FastifyInstance, 'vault'>,
  tenantId: string,
  phone: string,
  name: string | null,
  params: Record<string, string>,
): Receiver {
  const sealed = { phone: vault.seal(phone), phoneHash: vault.hash(tenantId, phone), phoneMask: maskSealed(phone) }
  return { name, userId: null, params, ...sealed }
}

/**
 * What a message says to one receiver, and how many messages it is charged as. What stands in the notices only needs no
 * signature and costs nothing.
 */
export function wordsFor(
  { sendType }: Pick<SendRow, 'sendType'>,
  template: TextSource,
  params: Record<string, string>,
) {
  const words = fillTemplate(template.templateContent, params)
  if (sendType === SendType.inbox) return { content: words.slice(0, 1000), segments: 0 }
  const content = signed(template.signName, words)
  return { content: content.slice(0, 1000), segments: segmentsOf(content) }
}

/**
 * Adds receivers to a draft. Whoever is on it already, or comes twice, gets one message.
 * @returns how many were added, and how many were there already
 * @throws workbook.tooManyRows above the most receivers
 */
export async function addReceivers(
  db: Live,
  send: SendRow,
  template: TextSource,
  receivers: readonly Receiver[],
): Promise<{ added: number; twice: number }> {
  const one = new Map(receivers.map(receiver => [receiver.phoneHash, receiver]))
  let added = 0
  const rows = [...one.values()].map(({ params, failed, ...receiver }) => ({
    sendId: send.id,
    ...receiver,
    params: JSON.stringify(params),
    ...wordsFor(send, template, params),
    ...(failed && { ...failed, msgStatus: MsgStatus.failed, segments: 0 }),
  }))
  for (let at = 0; at < rows.length; at += 500) {
    const done = await db
      .insertInto('sendmessage')
      .values(rows.slice(at, at + 500))
      .onConflict(conflict => conflict.columns(['sendId', 'phoneHash']).doNothing())
      .executeTakeFirst()
    added += Number(done.numInsertedOrUpdatedRows ?? 0)
  }
  if ((send.num ?? 0) + added > mostReceivers) throw refuse('workbook.tooManyRows', { n: mostReceivers })
  await recountSend(db, send.id)
  return { added, twice: receivers.length - added }
}
