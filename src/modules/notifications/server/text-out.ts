import type { FastifyInstance } from 'fastify'
import type { DomainEvent, Facts } from '#engine'
import { formerAddresses } from '../../../platform/accounts/server/contact-changed.ts'
import { deadNumbers, withoutTexts } from '../../../platform/accounts/server/contacts.ts'
import type { QuietHours } from '../../../platform/channels/quiet.ts'
import type { LiveTrx } from '../../../platform/database/live.ts'
import type { Receiver } from '../../messages/server/receivers.ts'
import { tellManyByText } from '../../messages/server/tell.ts'
import { textCodesOf } from '../../messages/server/text-codes.ts'
import { nightEnd } from '../rules/quiet.ts'
import { choicesOf, isUsed } from './choices.ts'
import { type ExamFacts, textValuesOf } from './words.ts'

/** What people are told by other ways, beside the inbox. */
export interface TextOut {
  readonly event: DomainEvent
  readonly eventId: string
  readonly facts: Facts
  readonly examId: string | null
  readonly exam: ExamFacts
  readonly until: Date | null
  /** When it goes out: not before then. */
  readonly from: Date
  /** When nobody is to be disturbed. */
  readonly quiet: QuietHours
  /** The messages of the inbox, each with whose it is. */
  readonly messages: readonly { readonly id: string; readonly userId: string }[]
}

/** Text messages of an event that one sending has. */
export interface EventTexts {
  readonly event: DomainEvent
  /** Numbers of the templates that may say it, the best first. */
  readonly codes: readonly string[]
  readonly examId: string | null
  readonly receivers: readonly Receiver[]
  /** Not before then. */
  readonly runAt: Date
}

/**
 * The text messages of an event for some people, where the exam wants text messages of it; none for nobody.
 */
export async function textsOf(db: LiveTrx, out: TextOut): Promise<EventTexts[]> {
  const { event, examId, messages } = out
  if (!isUsed(event, 'sms', await choicesOf(db, examId)) || messages.length === 0) return []
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
  const params = textValuesOf(event, out.facts, out.exam)
  const former = event.alsoFormer ? await formerAddresses(db, out.eventId, 'sms') : []
  const before = former.flatMap(({ userId, address, addressHash, addressMask }) =>
    people
      .filter(one => one.id === userId)
      .map(one => ({ ...one, phone: address, phoneHash: addressHash, phoneMask: addressMask })),
  )
  const receivers = [...before, ...people].flatMap(({ id, realName, phone, phoneHash, phoneMask }) => {
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
  if (receivers.length === 0) return []
  const runAt = event.urgent ? out.from : nightEnd(out.from, out.until, out.quiet)
  return [{ event, codes: textCodesOf(event, out.facts), examId, receivers, runAt }]
}

/**
 * Enters text messages, in the transaction in which the inbox has them: those of one event and exam that go out at the same time as one
 * sending, each person with values of the own.
 */
export async function sendTexts(
  app: FastifyInstance,
  db: LiveTrx,
  { tenantId, now }: { tenantId: string; now: Date },
  texts: readonly EventTexts[],
): Promise<void> {
  const together = new Map<string, EventTexts[]>()
  for (const one of texts) {
    const key = `${one.codes[0]} ${one.examId} ${one.runAt.getTime()}`
    together.set(key, [...(together.get(key) ?? []), one])
  }
  for (const [first, ...others] of together.values()) {
    if (!first) continue
    const { event, codes, examId, runAt } = first
    // A number that two of them have is told what differs by sendings of their own, and the same once.
    const rounds: Receiver[][] = []
    const isSame = (one: Receiver, other: Receiver) =>
      other.phoneHash === one.phoneHash && JSON.stringify(other.params) === JSON.stringify(one.params)
    for (const one of [first, ...others].flatMap(part => part.receivers)) {
      if (rounds.flat().some(other => isSame(one, other))) continue
      const round = rounds.find(some => some.every(other => other.phoneHash !== one.phoneHash))
      if (round) round.push(one)
      else rounds.push([one])
    }
    for (const receivers of rounds)
      await tellManyByText(app, db, { tenantId, now }, { codes, title: event.label, examId, receivers, runAt })
  }
}
