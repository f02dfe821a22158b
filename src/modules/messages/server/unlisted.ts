import { LedgerType } from '#schemas/dictionaries'
import { SmsError, SmsHeld } from '../../../platform/channels/sms/channel.ts'
import { contentOf, segmentsOf } from '../../../platform/channels/sms/sms-text.ts'
import { tellTroubleIn } from '../../../platform/channels/sms/trouble.ts'
import { liveFor } from '../../../platform/database/live.ts'
import { isRefusal } from '../../../platform/http/server/refusal.ts'
import { Postponed } from '../../../platform/queue/piece.ts'
import type { SendUnlisted } from '../../publicity/server/answer-text.ts'
import { holding, tellHeld } from './held.ts'
import { type Movement, moveBalance } from './ledger.ts'
import { lackOf } from './receivers.ts'

/**
 * Sends a text message that stands in no list of sendings. It is charged to the balance once, as they are, and comes back when it surely
 * does not go out. Where the balance or the limit of its exam does not reach, it waits.
 */
export const sendUnlisted: SendUnlisted = async (app, { template, examId, textMost, refType, refId, ...message }) => {
  const { tenantId } = message
  const lack = lackOf(template, message.params)
  if (lack !== undefined) return lack
  const num = segmentsOf(contentOf(template, message.params))
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  const move = (change: Pick<Movement, 'changeType' | 'num'>) =>
    db.transaction().execute(trx => moveBalance(trx, { tenantId, refType, refId, ...change }))
  const later = () => new Postponed(new Date(app.now().getTime() + holding))
  try {
    await move({ changeType: LedgerType.use, num: -num })
  } catch (error) {
    if (!isRefusal(error, 'messages.balanceTooLow')) throw error
    await db.transaction().execute(trx => tellTroubleIn(app, trx, template, 'balance'))
    throw later()
  }
  try {
    await app.sms.send({ ...message, smsCode: template.smsCode, budget: { ownerId: examId, most: textMost } })
    return 'sent'
  } catch (error) {
    if (!(error instanceof SmsError)) throw error
    if (error instanceof SmsHeld) {
      await db.transaction().execute(trx => tellHeld(trx, examId, textMost))
      throw later()
    }
    if (error.fault === 'final') {
      await move({ changeType: LedgerType.return, num })
      return error.message
    }
    if (error.until) throw new Postponed(error.until)
    const state = error.fault === 'unknown' ? await app.sms.query(message.id).catch(() => null) : null
    if (state === 'taken' || state === 'arrived') return 'sent'
    if (state === 'failed' || state === 'cannot') return state
    throw error
  }
}
