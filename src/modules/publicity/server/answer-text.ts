import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { objectionEvents } from '#resources/publicity/events'
import type { objection } from '#resources/publicity/objection'
import { emit } from '../../../crud/emit.ts'
import type { EventContext } from '../../../crud/rules.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import type { Kind } from '../../../platform/queue/piece.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Tells whoever objected that there is an answer, or that the objection was received. The key begins with the id of the objection. */
    'publicity.answer': { about?: 'received'; until?: string }
  }
}

/**
 * An objection is answered: whoever gave a number for it is told by a text message. It stands in no list of sendings, because nobody
 * there may see who objected.
 */
export async function tellAnswered({ app, db, rows, caller }: EventContext<typeof objection.entity>): Promise<void> {
  await emit(db, objectionEvents.answered, rows)
  const { tenantId } = caller
  for (const { id, objectorPhone } of rows)
    if (objectorPhone) await app.queue.enter(db, { kind: 'publicity.answer', key: id, tenantId, payload: {} })
}

/** A phone as it is written, without what people put between its digits. */
export const plainPhone = (phone: string): string => phone.replaceAll(/[ -]/g, '')

/** An objection is received: whoever gave a number for it is told its receipt and when there is an answer. */
export async function tellReceived(
  app: Pick<FastifyInstance, 'queue'>,
  trx: LiveTrx,
  tenantId: string,
  row: { id: string; examId: string; receipt: string; objectorPhone: string | null },
  until: Date,
): Promise<void> {
  await emit(trx, objectionEvents.received, [row], { until })
  const payload = { about: 'received', until: until.toISOString() } as const
  if (row.objectorPhone)
    await app.queue.enter(trx, { kind: 'publicity.answer', key: `${row.id}:received`, tenantId, payload })
}

/** Sends the text message that an objection is answered, or was received; nobody is told twice. */
export const answerWork = (app: FastifyInstance): Kind<'publicity.answer'> => ({
  kind: 'publicity.answer',
  lane: 'sms',
  mostTries: 3,
  async perform({ key, tenantId, payload: { about, until } }) {
    const db = liveFor(app, { tenantId, userId: null, now: app.now })
    const { name: smsCode } = about === 'received' ? objectionEvents.received : objectionEvents.answered
    const [template] = await usableTemplates(db, smsCode)
    const row = await db
      .selectFrom('objection')
      .select(['receipt', 'objectorPhone'])
      .where('id', '=', (key ?? '').split(':')[0] ?? '')
      .executeTakeFirst()
    const phone = row?.objectorPhone ? plainPhone(app.vault.open(row.objectorPhone)) : ''
    if (!template || !row || phoneProblem(phone) !== null) return 'none'
    const params = { receipt: row.receipt, ...(until && { until: wireTime(new Date(until)).slice(0, 16) }) }
    await app.sms.send({ id: `objection-${key}`, tenantId, smsCode, phone, params })
    return 'sent'
  },
})
