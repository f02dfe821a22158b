import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { objectionEvents } from '#resources/publicity/events'
import type { objection } from '#resources/publicity/objection'
import type { Sendledger } from '#schemas/messages/sendledger'
import { emit } from '../../../crud/emit.ts'
import type { EventContext } from '../../../crud/rules.ts'
import { type SmsRow, usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { quietEnd } from '../../../platform/channels/quiet.ts'
import { readQuietHours } from '../../../platform/channels/quiet-hours.ts'
import type { NewSms } from '../../../platform/channels/sms/channel.ts'
import { type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { type Kind, Postponed } from '../../../platform/queue/piece.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Tells whoever objected that there is an answer, or that the objection was received. The key begins with the id of the objection. */
    'publicity.answer': { about?: 'received'; until?: string }
  }
}

/** A text message that stands in no list of sendings, because nobody there may see whom it goes to. */
export interface UnlistedText extends Pick<NewSms, 'id' | 'tenantId' | 'phone' | 'params'> {
  readonly template: SmsRow
  /** Its exam, and how many text messages that may have. */
  readonly examId: string
  readonly textMost: number | null
  /** What it is charged for. */
  readonly refType: Sendledger['refType']
  readonly refId: string
}

/** @returns what became of it @throws Postponed, SmsError for what is to be tried again */
export type SendUnlisted = (app: FastifyInstance, text: UnlistedText) => Promise<string>

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    sendUnlisted: SendUnlisted
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

/** Milliseconds after an answer for which it is still told, where money or limits kept it. */
const tellsFor = 30 * 86_400_000

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
      .innerJoin('examination', 'examination.id', 'objection.examId')
      .select(['objection.id', 'receipt', 'objectorPhone', 'answerDue', 'answerTime', 'examId', 'textMost'])
      .where('objection.id', '=', (key ?? '').split(':')[0] ?? '')
      .executeTakeFirst()
    const phone = row?.objectorPhone ? plainPhone(app.vault.open(row.objectorPhone)) : ''
    if (!template || !row || phoneProblem(phone) !== null) return 'none'
    const now = app.now()
    const { id: refId, receipt, answerDue, answerTime, examId, textMost } = row
    const last = about === 'received' ? answerDue : new Date((answerTime ?? now).getTime() + tellsFor)
    if (last < now) return 'over'
    const morning = quietEnd(now, await readQuietHours(db))
    if (morning > now) throw new Postponed(morning)
    const params = { receipt, ...(until && { until: wireTime(new Date(until)).slice(0, 16) }) }
    const refType = about === 'received' ? 'objectionReceived' : 'objectionAnswered'
    const message = { id: `objection-${key}`, tenantId, phone, params }
    return app.extensions.sendUnlisted(app, { ...message, template, examId, textMost, refType, refId })
  },
})
