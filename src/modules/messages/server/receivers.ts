import type { FastifyInstance } from 'fastify'
import { maskSealed } from '#engine'
import { SendType } from '#schemas/dictionaries'
import { fillTemplate, segmentsOf, signed } from '../../../platform/channels/sms/sms-text.ts'
import type { Trx } from '../../../platform/database/database.ts'
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
  trx: Trx,
  send: SendRow,
  template: TextSource,
  receivers: readonly Receiver[],
  by: { userId: string; now: Date },
): Promise<{ added: number; twice: number }> {
  const one = new Map(receivers.map(receiver => [receiver.phoneHash, receiver]))
  let added = 0
  const rows = [...one.values()].map(({ params, ...receiver }) => ({
    tenantId: send.tenantId,
    sendId: send.id,
    ...receiver,
    params: JSON.stringify(params),
    ...wordsFor(send, template, params),
    createUser: by.userId,
    createTime: by.now,
    updateTime: by.now,
  }))
  for (let at = 0; at < rows.length; at += 500) {
    const done = await trx
      .insertInto('sendmessage')
      .values(rows.slice(at, at + 500))
      .onConflict(conflict =>
        conflict.columns(['tenantId', 'sendId', 'phoneHash']).where('isDeleted', '=', 0).doNothing(),
      )
      .executeTakeFirst()
    added += Number(done.numInsertedOrUpdatedRows ?? 0)
  }
  if ((send.num ?? 0) + added > mostReceivers) throw refuse('workbook.tooManyRows', { n: mostReceivers })
  await recountSend(trx, send.id, by.now)
  return { added, twice: receivers.length - added }
}
