import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { objectionEvents } from '#resources/publicity/events'
import type { objection } from '#resources/publicity/objection'
import { emit } from '../../../crud/emit.ts'
import type { EventContext } from '../../../crud/rules.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { quietEnd } from '../../../platform/channels/quiet.ts'
import { readQuietHours } from '../../../platform/channels/quiet-hours.ts'
import { type NewSms, SmsError } from '../../../platform/channels/sms/channel.ts'
import { type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type Kind, Postponed } from '../../../platform/queue/piece.ts'

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

/** Begun so often that it lasts a day where the channel is away, each time after a longer pause. */
const mostTries = 90

/** Hands a message over. @returns what became of it @throws Postponed, SmsError for what is to be tried again */
async function handOver(app: FastifyInstance, message: NewSms): Promise<string> {
  try {
    await app.sms.send(message)
    return 'sent'
  } catch (error) {
    if (!(error instanceof SmsError)) throw error
    if (error.fault === 'final') return error.message
    if (error.until) throw new Postponed(error.until)
    const state = error.fault === 'unknown' ? await app.sms.query(message.id).catch(() => null) : null
    if (state === 'taken' || state === 'arrived') return 'sent'
    if (state === 'failed' || state === 'cannot') return state
    throw error
  }
}

/** Sends the text message that an objection is answered, or was received; nobody is told twice. */
export const answerWork = (app: FastifyInstance): Kind<'publicity.answer'> => ({
  kind: 'publicity.answer',
  lane: 'sms',
  mostTries,
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
    const morning = quietEnd(app.now(), await readQuietHours(db))
    if (morning > app.now()) throw new Postponed(morning)
    const params = { receipt: row.receipt, ...(until && { until: wireTime(new Date(until)).slice(0, 16) }) }
    return handOver(app, { id: `objection-${key}`, tenantId, smsCode, phone, params })
  },
})
