import type { FastifyInstance } from 'fastify'
import type { Facts } from '#engine'
import { domainEvents } from '#resources/events'
import { DeliveryState } from '#schemas/dictionaries'
import { mailContacts, noteBadMail } from '../../../platform/accounts/server/contacts.ts'
import { MailError } from '../../../platform/channels/mail/mail-error.ts'
import { type LiveTrx, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { readParam } from '../../../platform/database/param.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { publicUrl } from '../../../platform/http/server/public-url.ts'
import { inEnglish } from '../../../platform/i18n/english.ts'
import { mailWords } from './mail-words.ts'
import { addressOf, type ExamFacts, type Language } from './words.ts'

/** Sent at the same time by one process. */
const together = 5
/** Milliseconds after which whoever sends something has surely ended; a channel gives up long before. */
const lease = 120_000
/** Milliseconds until what could not be handed over is tried again, time after time; then it has failed. */
const putOffs = [60_000, 5 * 60_000, 30 * 60_000] as const
/** Milliseconds until something is looked at again that no server was handed, and for how long. */
const mending = { again: 5 * 60_000, most: 24 * 3_600_000 }
/** Said of what may have arrived and may not. */
const untold = '结果不明：邮件服务器没有应答，对方可能已收到'

/** A delivery that this process has taken, and until when it is its own. */
interface Taken {
  readonly id: string
  readonly tenantId: string
  readonly messageId: string
  readonly userId: string
  readonly address: string
  readonly tryNum: number
  readonly until: Date | null
  readonly createTime: Date
  readonly goAt: Date
}

const after = (app: FastifyInstance, milliseconds: number): Date => new Date(app.now().getTime() + milliseconds)

/**
 * Marks the delivery that is due first as under way, for this process alone; one that a process has left under way, too: an e-mail
 * goes out at least once.
 */
async function take(app: FastifyInstance): Promise<Taken | undefined> {
  const db = liveAcross(app, app)
  const next = db
    .selectFrom('delivery')
    .select('id')
    .where('channel', '=', 'mail')
    .where('deliveryState', 'in', [DeliveryState.waiting, DeliveryState.underWay])
    .where('goAt', '<=', app.now())
    .orderBy('goAt')
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
  return db
    .updateTable('delivery as d')
    .set(eb => ({
      deliveryState: DeliveryState.underWay,
      goAt: after(app, lease),
      tryNum: eb('d.tryNum', '+', 1),
      sendTime: app.now(),
    }))
    .where('d.id', '=', next)
    .returning(['d.id', 'd.tenantId', 'd.messageId', 'd.userId', 'd.address', 'd.tryNum', 'd.until', 'd.goAt'])
    .returning('d.createTime')
    .executeTakeFirst()
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

/** What a delivery says, and to whom: null for one that is of no more use. */
async function contentOf(app: FastifyInstance, taken: Taken) {
  const { tenantId, userId, messageId } = taken
  const db = liveFor(app, { tenantId, userId: null, now: app.now })
  const row = await db
    .selectFrom('message as m')
    .innerJoin(withRemoved('event as e'), 'e.id', 'm.eventId')
    .leftJoin(withRemoved('examination as x'), 'x.id', 'e.examId')
    .select([
      'm.code',
      'm.subjectId',
      'm.doneTime',
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
  const to = app.vault.open(taken.address)
  const [contact] = await mailContacts(app, db, tenantId, [userId])
  if (contact?.email !== to) return null
  const { language } = contact
  const title = await readParam(db, 'site.title')
  const exam: ExamFacts = row
  const path = addressOf(definition, { id: row.subjectId, examId: row.examId })
  const site = { title: titleIn(title, language), link: `${publicUrl(app)}${path}` }
  return { to, ...mailWords(definition, row.facts as Facts, exam, language, site) }
}

const titleIn = (title: string, language: Language): string => (language === 'en' ? inEnglish(title) : title)

/** What follows from a fault. */
function afterFault(app: FastifyInstance, taken: Taken, error: MailError): Outcome {
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
  const given = isUnknown ? { deliveryState: unknown, errMsg: untold } : { deliveryState: failed, errMsg }
  if (putOff === undefined) return given
  const goAt = after(app, putOff)
  return isOver(goAt) ? given : { deliveryState: waiting, goAt, errMsg }
}

/** While an account cannot be used, nothing else of its tenant is tried. */
async function putOffTenant(trx: LiveTrx, goAt: Date): Promise<void> {
  await trx
    .updateTable('delivery')
    .set({ goAt })
    .where('channel', '=', 'mail')
    .where('deliveryState', '=', DeliveryState.waiting)
    .where('goAt', '<', goAt)
    .execute()
}

/** Sends what was taken. */
async function sendOne(app: FastifyInstance, taken: Taken): Promise<void> {
  const { id, tenantId, userId, until } = taken
  if (until && until < app.now()) return note(app, taken, { deliveryState: DeliveryState.late, sendTime: null })
  if (taken.tryNum > putOffs.length + 1)
    return note(app, taken, { deliveryState: DeliveryState.unknown, errMsg: untold })
  const content = await contentOf(app, taken)
  if (content === null) return note(app, taken, { deliveryState: DeliveryState.cancelled, sendTime: null })
  try {
    const { ref } = await app.mail.send({ id, tenantId, ...content })
    await note(app, taken, { deliveryState: DeliveryState.taken, ref, errMsg: null })
  } catch (error) {
    if (!(error instanceof MailError)) throw error
    const outcome = afterFault(app, taken, error)
    await note(app, taken, outcome, async trx => {
      if (error.isAddressBad) await noteBadMail(trx, userId, error.message)
      if (error.isUntried && outcome.goAt) await putOffTenant(trx, outcome.goAt)
    })
  }
}

/**
 * Sends every e-mail that is due, some at the same time. Something that fails for a reason of our own stays
 * under way, and is taken again after its time.
 * @param signal stops before the next
 * @returns how many were taken
 */
export async function deliverDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  let count = 0
  const worker = async (): Promise<void> => {
    while (!signal?.aborted) {
      const taken = await take(app)
      if (!taken) return
      count++
      await sendOne(app, taken).catch(err => app.log.error({ err, delivery: taken.id }, 'a delivery was not made'))
    }
  }
  await Promise.all(Array.from({ length: together }, worker))
  return count
}
