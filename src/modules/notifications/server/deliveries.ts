import type { FastifyInstance } from 'fastify'
import type { DomainEvent, Facts } from '#engine'
import { domainEvents } from '#resources/events'
import { DeliveryState } from '#schemas/dictionaries'
import { formerAddresses } from '../../../platform/accounts/server/contact-changed.ts'
import { contactOf } from '../../../platform/accounts/server/contact-rows.ts'
import { ChannelError } from '../../../platform/channels/fault.ts'
import { type Live, type LiveTrx, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { publicUrl } from '../../../platform/http/server/public-url.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { isReminderOver } from './remind.ts'
import { type Outgoing, type Way, ways } from './ways.ts'
import { worded, wordingsOf } from './wording.ts'
import { addressOf, type ExamFacts, type Language } from './words.ts'

/** Sent at the same time by one process, by each way. */
const together = 5
/** Milliseconds after which whoever sends something has surely ended; a channel gives up long before. */
const lease = 120_000
/** Milliseconds until what could not be handed over is tried again, time after time; then it has failed. */
const putOffs = [60_000, 5 * 60_000, 30 * 60_000] as const
/** Milliseconds until something is looked at again that no server was handed, and for how long. */
const mending = { again: 5 * 60_000, most: 24 * 3_600_000 }

/** A delivery that this process has taken, and until when it is its own. */
interface Taken {
  readonly id: string
  readonly tenantId: string
  readonly messageId: string
  readonly userId: string
  readonly address: string
  readonly addressHash: string | null
  /** Whether a process has had it before, and ended. */
  readonly isLeft: boolean
  readonly tryNum: number
  readonly until: Date | null
  readonly createTime: Date
  readonly goAt: Date
}

const after = (app: FastifyInstance, milliseconds: number): Date => new Date(app.now().getTime() + milliseconds)

/** Marks the delivery of a way that is due first as under way, for this process alone; one that a process has left under way, too. */
async function take(app: FastifyInstance, { channel }: Way): Promise<Taken | undefined> {
  const taken = await liveAcross(app, app)
    .with('next', db =>
      db
        .selectFrom('delivery')
        .select(['id', 'deliveryState as was'])
        .where('channel', '=', channel)
        .where('deliveryState', 'in', [DeliveryState.waiting, DeliveryState.underWay])
        .where('goAt', '<=', app.now())
        .orderBy('goAt')
        .orderBy('id')
        .limit(1)
        .forNoKeyUpdate()
        .skipLocked(),
    )
    .updateTable('delivery as d')
    .from('next')
    .set(eb => ({
      deliveryState: DeliveryState.underWay,
      goAt: after(app, lease),
      tryNum: eb('d.tryNum', '+', 1),
      sendTime: app.now(),
    }))
    .whereRef('d.id', '=', 'next.id')
    .returning(['d.id', 'd.tenantId', 'd.messageId', 'd.userId', 'd.address', 'd.addressHash', 'd.tryNum', 'd.until'])
    .returning(['d.goAt', 'd.createTime', 'next.was'])
    .executeTakeFirst()
  if (!taken) return undefined
  const { was, ...row } = taken
  return { ...row, isLeft: was === DeliveryState.underWay }
}

/** What becomes of a delivery that was taken. */
interface Outcome {
  readonly deliveryState: (typeof DeliveryState)[keyof typeof DeliveryState]
  readonly goAt?: Date
  readonly tryNum?: number
  readonly ref?: string
  readonly errMsg?: string | null
  readonly sendTime?: Date | null
}

/** Notes what has become of a delivery, unless another process has taken it meanwhile. */
async function note(
  app: FastifyInstance,
  taken: Taken,
  outcome: Outcome,
  also?: (trx: LiveTrx) => Promise<void>,
): Promise<void> {
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      const own = programOf(trx, taken, app.now())
      const { numUpdatedRows } = await own
        .updateTable('delivery')
        .set({ ...outcome })
        .where('id', '=', taken.id)
        .where('deliveryState', '=', DeliveryState.underWay)
        .where('goAt', '=', taken.goAt)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) await also?.(own)
    })
}

/** The language in which somebody was told at an address of before; null for an address that an event is not told at. */
async function formerLanguage(
  db: Live,
  { alsoFormer }: DomainEvent,
  eventId: string,
  { userId, addressHash }: Taken,
): Promise<Language | null> {
  const former = alsoFormer ? await formerAddresses(db, eventId, 'mail') : []
  if (!former.some(one => one.userId === userId && one.addressHash === addressHash)) return null
  return (await contactOf(db, userId, 'mail'))?.language === 'en' ? 'en' : 'zh'
}

/** Marks a message as done. */
const settleMessage = (db: Live, id: string, doneTime: Date) =>
  db.updateTable('message').set({ doneTime }).where('id', '=', id).where('doneTime', 'is', null).execute()

/** What a delivery says, and to whom: null for one that is of no more use. */
async function contentOf(app: FastifyInstance, way: Way, taken: Taken): Promise<Outgoing | null> {
  const { id, tenantId, userId, messageId, until } = taken
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  const row = await db
    .selectFrom('message as m')
    .innerJoin(withRemoved('event as e'), 'e.id', 'm.eventId')
    .leftJoin(withRemoved('examination as x'), 'x.id', 'e.examId')
    .select([
      'm.eventId',
      'm.code',
      'm.subjectId',
      'm.doneTime',
      'm.messageTime',
      'e.facts',
      'e.examId',
      'x.examName',
      'x.shortName',
      'x.contactPhone',
    ])
    .where('m.id', '=', messageId)
    .executeTakeFirst()
  const definition = row && domainEvents.get(row.code)
  if (!definition || row.doneTime) return null
  if (await isReminderOver(db, { id: row.eventId, code: row.code }, app.now())) {
    await settleMessage(db, messageId, app.now())
    return null
  }
  const to = app.vault.open(taken.address)
  const [contact] = await way.contacts(app, db, tenantId, [userId])
  const isFormer = contact?.address !== to
  const language = isFormer ? await formerLanguage(db, definition, row.eventId, taken) : contact.language
  if (language === null) return null
  const title = titleIn(await readParam(db, 'site.title'), language)
  const link = `${publicUrl(app)}${addressOf(definition, { id: row.subjectId, examId: row.examId })}`
  const event = worded(definition, row.examId, await wordingsOf(db, [row.examId]))
  const said = { event, facts: row.facts as Facts, exam: row as ExamFacts, time: row.messageTime, until }
  return { id, tenantId, to, isFormer, language, title, link, ...said }
}

const titleIn = (title: string, language: Language): string => (language === 'en' ? inEnglish(title) : title)

/** What follows from a fault. */
function afterFault(app: FastifyInstance, way: Way, taken: Taken, error: ChannelError): Outcome {
  const errMsg = error.message.slice(0, 255)
  const { waiting, failed, unknown, late } = DeliveryState
  if (error.fault === 'final') return { deliveryState: failed, errMsg }
  const isOver = (time: Date) => taken.until !== null && time > taken.until
  if (error.isUntried || error.fault === 'settings') {
    const goAt = after(app, mending.again)
    if (isOver(goAt)) return { deliveryState: late, errMsg }
    if (goAt.getTime() - taken.createTime.getTime() > mending.most) return { deliveryState: failed, errMsg }
    return { deliveryState: waiting, goAt, errMsg, tryNum: taken.tryNum - 1, sendTime: null }
  }
  const putOff = putOffs[taken.tryNum - 1]
  const isUnknown = error.fault === 'unknown'
  const given = isUnknown ? { deliveryState: unknown, errMsg: way.untold } : { deliveryState: failed, errMsg }
  if (putOff === undefined || (isUnknown && !way.isRepeated)) return given
  const goAt = after(app, putOff)
  return isOver(goAt) ? given : { deliveryState: waiting, goAt, errMsg }
}

/** While an account cannot be used, nothing else of its tenant is tried. */
async function putOffTenant(trx: LiveTrx, { channel }: Way, goAt: Date): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ goAt })
    .where('channel', '=', channel)
    .where('deliveryState', '=', DeliveryState.waiting)
    .where('goAt', '<', goAt)
    .execute()
}

/** Sends what was taken. */
async function sendOne(app: FastifyInstance, way: Way, taken: Taken): Promise<void> {
  const { userId, addressHash, until } = taken
  // Whoever had it has ended, and nobody can tell whether before or after it was sent.
  const mayHaveGone = taken.tryNum > putOffs.length + 1 || (taken.isLeft && !way.isRepeated)
  if (mayHaveGone) return note(app, taken, { deliveryState: DeliveryState.unknown, errMsg: way.untold })
  if (until && until < app.now()) return note(app, taken, { deliveryState: DeliveryState.late, sendTime: null })
  const content = await contentOf(app, way, taken)
  if (content === null) return note(app, taken, { deliveryState: DeliveryState.cancelled, sendTime: null })
  try {
    const { ref } = await way.send(app, content)
    await note(app, taken, { deliveryState: DeliveryState.taken, ref, errMsg: null })
    await way.settle?.(app, taken.tenantId, ref)
  } catch (error) {
    if (!(error instanceof ChannelError)) throw error
    const outcome = afterFault(app, way, taken, error)
    await note(app, taken, outcome, async trx => {
      if (error.isAddressBad && !content.isFormer)
        await way.noteBad(trx, { userId, addressHash, problem: error.message })
      if (error.isUntried && outcome.goAt) await putOffTenant(trx, way, outcome.goAt)
    })
  }
}

/**
 * Sends everything that is due, some at the same time by each way. Something that fails for a reason of our own stays under way, and is taken
 * again after its time.
 * @param signal stops before the next
 * @returns how many were taken
 */
export async function deliverDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  let count = 0
  const sendUntilNone = async (way: Way, first?: Taken): Promise<void> => {
    let taken = first ?? (await take(app, way))
    while (taken) {
      const { id } = taken
      count++
      await sendOne(app, way, taken).catch(err => app.log.error({ err, delivery: id }, 'a delivery was not made'))
      taken = signal?.aborted ? undefined : await take(app, way)
    }
  }
  const deliverBy = async (way: Way): Promise<void> => {
    // Most of the time nothing is due: one asks, and the others join where there is something.
    const first = signal?.aborted ? undefined : await take(app, way)
    if (first) await Promise.all(Array.from({ length: together }, (_, i) => sendUntilNone(way, i ? undefined : first)))
  }
  await Promise.all(Object.values(ways).map(deliverBy))
  return count
}
