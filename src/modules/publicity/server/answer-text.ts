import type { FastifyInstance } from 'fastify'
import { phoneProblem } from '#engine'
import { objectionEvents } from '#resources/publicity/events'
import type { objection } from '#resources/publicity/objection'
import { emit } from '../../../crud/emit.ts'
import type { EventContext } from '../../../crud/rules.ts'
import { usableTemplates } from '../../../platform/auth/server/sms/template.ts'
import { liveFor } from '../../../platform/database/live.ts'
import type { Kind } from '../../../platform/queue/piece.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** Tells whoever objected that there is an answer. The key is the id of the objection. */
    'publicity.answer': Record<string, never>
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

/** Sends the text message that an objection is answered; nobody is told twice. */
export const answerWork = (app: FastifyInstance): Kind<'publicity.answer'> => ({
  kind: 'publicity.answer',
  lane: 'sms',
  mostTries: 3,
  async perform({ key, tenantId }) {
    const db = liveFor(app, { tenantId, userId: null, now: app.now })
    const { name: smsCode } = objectionEvents.answered
    const [template] = await usableTemplates(db, smsCode)
    const row = await db
      .selectFrom('objection')
      .select(['receipt', 'objectorPhone'])
      .where('id', '=', key)
      .executeTakeFirst()
    const phone = row?.objectorPhone ? app.vault.open(row.objectorPhone).replaceAll(/[ -]/g, '') : ''
    if (!template || !row || phoneProblem(phone) !== null) return 'none'
    await app.sms.send({ id: `objection-${key}`, tenantId, smsCode, phone, params: { receipt: row.receipt } })
    return 'sent'
  },
})
