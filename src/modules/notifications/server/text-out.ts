import type { FastifyInstance } from 'fastify'
import type { DomainEvent, Facts } from '#engine'
import { deadNumbers, withoutTexts } from '../../../platform/accounts/server/contacts.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import { tellManyByText } from '../../messages/server/tell.ts'
import { nightEnd } from '../rules/quiet.ts'
import { choicesOf, isUsed } from './choices.ts'
import { type ExamFacts, valuesOf } from './words.ts'

/** What people are told by other ways, beside the inbox. */
export interface TextOut {
  readonly event: DomainEvent
  readonly facts: Facts
  readonly examId: string | null
  readonly exam: ExamFacts
  readonly until: Date | null
  /** The messages of the inbox, each with whose it is. */
  readonly messages: readonly { readonly id: string; readonly userId: string }[]
}

/**
 * Enters the text messages of an event for some people, in the transaction in which their inbox has it: by the template that has the
 * name of the event as its number, where the exam wants text messages of it.
 */
export async function textOut(app: FastifyInstance, db: LiveTrx, tenantId: string, now: Date, out: TextOut) {
  const { event, examId, messages } = out
  if (!isUsed(event, 'sms', await choicesOf(db, examId)) || messages.length === 0) return
  const userIds = messages.map(one => one.userId)
  const people = await db
    .selectFrom('user')
    .select(['id', 'realName', 'phone', 'phoneHash', 'phoneMask'])
    .where('id', 'in', userIds)
    .execute()
  const isMust = event.by?.sms === 'must'
  const none: ReadonlySet<string> = new Set()
  const [unwilling, dead] = isMust ? [none, none] : [await withoutTexts(db, userIds), await deadNumbers(db, userIds)]
  const ids = new Map(messages.map(one => [one.userId, one.id]))
  const params = valuesOf(event, out.facts, out.exam, 'zh')
  const receivers = people.flatMap(({ id, realName, phone, phoneHash, phoneMask }) => {
    const messageId = ids.get(id)
    if (!phone || !phoneHash || messageId === undefined || unwilling.has(id) || dead.has(phoneHash)) return []
    return [
      {
        name: realName?.slice(0, 20) ?? null,
        userId: id,
        phone,
        phoneHash,
        phoneMask: phoneMask ?? '',
        params,
        messageId,
      },
    ]
  })
  const runAt = event.urgent ? now : nightEnd(now, out.until)
  await tellManyByText(app, db, { tenantId, now }, { code: event.name, title: event.label, examId, receivers, runAt })
}
