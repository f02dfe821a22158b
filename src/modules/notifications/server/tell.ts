import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { DomainEvent, Facts } from '#engine'
import { domainEvents } from '#resources/events'
import { reminderRules } from '#resources/reminders'
import { readQuietHours } from '../../../platform/channels/quiet-hours.ts'
import {
  type AcrossTrx,
  type LiveTrx,
  liveAcross,
  updateUnstamped,
  withRemoved,
} from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { textDelayOf } from '../../exams/rules/text-delay.ts'
import { callOffTexts } from '../../messages/server/tell.ts'
import type { OwnMessages } from '../../tickets/server/register.ts'
import { nextPeople } from './audiences.ts'
import { callOffDeliveries, deliveriesOut } from './delivery-out.ts'
import { callOffJoiners, hasJoined, joinersOf, joining, noneJoins, peopleOfJoiners } from './joins.ts'
import { isReminderOver, reminderEnd } from './remind.ts'
import { type EventTexts, sendTexts, textsOf } from './text-out.ts'
import type { ExamFacts } from './words.ts'

type EventRow = NonNullable<Awaited<ReturnType<typeof nextEvent>>>

/** Follows an event that people are being told of. What it writes is kept with what says that they have been told. */
export type EventListener = (db: LiveTrx, event: EventRow) => Promise<void>

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Run once for each event, before the first person is told; again only where all that it wrote was undone. */
    eventListeners: readonly EventListener[]
  }
}

/** People of one transaction. */
const chunk = 500
/** Milliseconds after which an event that could not be told is tried again. */
const pause = 60_000

/** Events that can be taken back for a while after they have happened. */
const held = [...domainEvents.values()].filter(({ hold }) => hold !== undefined)

/** Whether people have been told of everything that happened to the row of an event before it. */
const isFirstOfRow = sql<boolean>`NOT EXISTS (SELECT 1 FROM event before
  WHERE before."subjectId" = event."subjectId" AND before.id < event.id AND before."toldTime" IS NULL)`

/** The oldest event that people are to be told of, locked; others work on other ones. Those of one row are told in their order. */
const nextEvent = (trx: AcrossTrx, now: Date) =>
  trx
    .selectFrom('event')
    .selectAll()
    .where('toldTime', 'is', null)
    .where(eb => eb.or([eb('againTime', 'is', null), eb('againTime', '<=', now)]))
    .where(isFirstOfRow)
    .where(noneJoins)
    .where(eb =>
      eb.and(
        held.map(({ name, hold = 0 }) =>
          eb.or([eb('code', '<>', name), eb('createTime', '<=', new Date(now.getTime() - hold * 1000))]),
        ),
      ),
    )
    .orderBy('id')
    .limit(1)
    .forNoKeyUpdate()
    .skipLocked()
    .executeTakeFirst()

/** Events by name that say of a row what settles a given one. */
const settlersOf = (name: string): readonly string[] =>
  [...domainEvents.values()].filter(({ settles = [] }) => settles.includes(name)).map(one => one.name)

/** Events by name of the same row that are of no more concern once a given one has happened: those it settles, reminders it stops. */
const settledBy = ({ name, settles = [] }: DomainEvent): readonly string[] => [
  ...settles,
  ...[...reminderRules.values()].filter(({ reminds }) => reminds.stops?.includes(name)).map(one => one.name),
]

/** Whether something has settled the event before anybody was told of it. */
async function isOver(db: LiveTrx, event: EventRow): Promise<boolean> {
  const settlers = settlersOf(event.code)
  if (settlers.length === 0) return false
  const later = await db
    .selectFrom('event')
    .select('id')
    .where('subjectId', '=', event.subjectId)
    .where('code', 'in', settlers)
    .where('id', '>', event.id)
    .executeTakeFirst()
  return later !== undefined
}

/**
 * Marks the messages of a row that are of no more concern, and calls off what says the same and has not gone out.
 * @returns whether there was one, marked or not
 */
async function settle(
  db: LiveTrx,
  definition: DomainEvent,
  { subjectId, createTime, tenantId }: EventRow,
): Promise<boolean> {
  const settles = settledBy(definition)
  if (settles.length === 0) return false
  const done = await db
    .updateTable('message')
    .set(eb => ({ doneTime: eb.fn.coalesce('doneTime', eb.val(createTime)) }))
    .where('subjectId', '=', subjectId)
    .where('code', 'in', settles)
    .returning('id')
    .execute()
  await callOff(db, tenantId, done)
  return done.length > 0
}

/** Calls off what goes out beside messages of the inbox and has not gone yet. */
async function callOff(db: LiveTrx, tenantId: string, messages: readonly { id: string }[]): Promise<void> {
  const ids = messages.map(one => one.id)
  await callOffTexts(db, tenantId, ids)
  await callOffDeliveries(db, ids)
}

/**
 * Marks messages of one person that say what has been done, and calls off what says the same and has not gone out.
 * @param subjectIds the rows that they are about
 */
export async function settleOwn(
  app: Pick<FastifyInstance, 'now'>,
  db: LiveTrx,
  { tenantId, userId, subjectIds, codes }: OwnMessages,
): Promise<void> {
  const now = app.now()
  const done = await updateUnstamped(db, 'message')
    .set(eb => ({ doneTime: eb.fn.coalesce('doneTime', eb.val(now)) }))
    .where('userId', '=', userId)
    .where('subjectId', 'in', subjectIds)
    .where('code', 'in', codes)
    .returning('id')
    .execute()
  await callOff(db, tenantId, done)
}

/** Marks what people have been told of an exam that concerns them no more, and calls off what has not gone out of it. */
async function endFor(
  db: LiveTrx,
  { ends = [] }: DomainEvent,
  { examId, createTime, tenantId }: EventRow,
  people: readonly string[],
): Promise<void> {
  if (ends.length === 0) return
  const done = await db
    .updateTable('message')
    .set(eb => ({ doneTime: eb.fn.coalesce('doneTime', eb.val(createTime)) }))
    .where('userId', 'in', people)
    .where('code', 'in', ends)
    .where('eventId', 'in', db.selectFrom('event').select('event.id').where('event.examId', '=', examId))
    .returning('id')
    .execute()
  await callOff(db, tenantId, done)
}

/** What texts say of the exam that an event belongs to. */
async function examFacts(
  db: LiveTrx,
  examId: string | null,
  tenantId: string,
): Promise<ExamFacts & { textDelay: number | null }> {
  const exam = await db
    .selectFrom(withRemoved('examination'))
    .select(['examName', 'shortName', 'contactPhone', 'textDelay'])
    .where('id', '=', examId)
    .executeTakeFirst()
  if (exam) return exam
  // What belongs to no exam names whom to call in the office.
  const office = await db
    .selectFrom('tenant')
    .select('contactNumber')
    .where(eb => eb.and({ tenantId }))
    .executeTakeFirst()
  return { examName: null, shortName: null, contactPhone: office?.contactNumber ?? null, textDelay: null }
}

/** The time by which somebody can act on an event, where its facts have one. */
function untilOf({ until }: Facts): Date | null {
  const time = typeof until === 'string' ? new Date(until) : null
  return time && !Number.isNaN(time.getTime()) ? time : null
}

/** When something goes out that waits until a time: now, if it comes later than that or would come too late. */
const goingOut = (now: Date, after: Date, until: Date | null): Date =>
  after <= now || (until && after >= until) ? now : after

/**
 * Tells the next people of an event, in a transaction that has locked it.
 * @param texts gets the text messages that are to go out
 * @returns whether there may be more
 */
async function tellSome(
  app: FastifyInstance,
  db: LiveTrx,
  definition: DomainEvent,
  event: EventRow,
  texts: EventTexts[],
): Promise<boolean> {
  const isFirst = event.toldTo === null
  if (isFirst && definition.hold && (await isOver(db, event))) return false
  if (isFirst && (await isReminderOver(db, event, app.now()))) return false
  if (isFirst) {
    const hasSettled = await settle(db, definition, event)
    if (definition.corrects && !hasSettled) return false
    for (const listen of app.extensions.eventListeners) await listen(db, event)
  }
  const found = await nextPeople(app, db, definition.to, event, event.toldTo, chunk)
  const last = found.at(-1)
  if (last === undefined) return false
  const joiners = await joinersOf(db, event)
  const people = joiners.length > 0 ? await peopleOfJoiners(db, joiners, found) : found
  const isMore = found.length === chunk
  if (people.length === 0) {
    await db.updateTable('event').set({ toldTo: last }).where('id', '=', event.id).execute()
    return isMore
  }
  await endFor(db, definition, event, people)
  const { id: eventId, code, subjectId, createTime } = event
  const ends = untilOf(event.facts as Facts)
  const until = definition.informs ? null : ends
  const messages = await db
    .insertInto('message')
    .values(people.map(userId => ({ eventId, userId, code, subjectId, until, messageTime: createTime })))
    .onConflict(conflict => conflict.doNothing())
    .returning(['id', 'userId'])
    .execute()
  const facts = event.facts as Facts
  const { tenantId, examId } = event
  const exam = await examFacts(db, examId, tenantId)
  const lasts = ends ?? reminderEnd(event)
  const isDelayed = definition.delays || joiners.some(one => domainEvents.get(one.code)?.delays)
  const delay = Math.max(isDelayed ? textDelayOf(exam) : 0, (await hasJoined(db, definition, event)) ? joining : 0)
  const from = goingOut(app.now(), new Date(createTime.getTime() + delay), lasts)
  const quiet = await readQuietHours(db)
  const out = { event: definition, eventId, facts, examId, exam, until: lasts, from, quiet, messages }
  const own = await textsOf(db, out)
  await callOffJoiners(db, tenantId, joiners, own)
  texts.push(...own)
  await deliveriesOut(app, db, tenantId, out)
  await db.updateTable('event').set({ toldTo: last }).where('id', '=', eventId).execute()
  return isMore
}

/** Events that were made together by the same rule for the same exam as one that is locked, and are to be told of, locked. */
const likeIt = (own: LiveTrx, { id, code, examId, createTime }: EventRow, most: number) =>
  own
    .selectFrom('event')
    .selectAll()
    .where('toldTime', 'is', null)
    .where('toldTo', 'is', null)
    .where('againTime', 'is', null)
    .where('code', '=', code)
    .where('createTime', '=', createTime)
    .where(sql<boolean>`"examId" IS NOT DISTINCT FROM ${examId}::bigint`)
    .where('id', '>', id)
    .where(isFirstOfRow)
    .orderBy('id')
    .limit(most)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()

/** Reminders of one transaction, at most. */
const remindersTogether = 200

/**
 * Tells one event, or a part of those whom it concerns; of reminders those that were made together, so that one sending has their text
 * messages.
 * @param most how many reminders at once
 * @returns `none` when none is due, `failed` when reminders could not be told together
 */
async function tellNext(app: FastifyInstance, most: number): Promise<'none' | 'told' | 'failed'> {
  const now = app.now()
  const db = liveAcross(app, { now: () => now })
  let failed: string | undefined
  let areMany = false
  try {
    return await db.transaction().execute(async trx => {
      const first = await nextEvent(trx, now)
      if (!first) return 'none'
      failed = first.id
      const own = programOf(trx, first, now)
      const definition = domainEvents.get(first.code)
      const isReminder = reminderRules.has(first.code) && first.toldTo === null && most > 1
      const { tenantId } = first
      const more = isReminder ? await likeIt(own, first, most - 1) : []
      const events = [first, ...more.map(one => ({ ...one, tenantId }))]
      areMany = events.length > 1
      const texts: EventTexts[] = []
      for (const event of events) {
        const isMore = definition ? await tellSome(app, own, definition, event, texts) : false
        if (!isMore) await own.updateTable('event').set({ toldTime: now }).where('id', '=', event.id).execute()
      }
      await sendTexts(app, own, { tenantId, now }, texts)
      return 'told'
    })
  } catch (err) {
    if (failed === undefined) throw err
    app.log.error({ err, event: failed }, 'people could not be told of an event')
    if (areMany) return 'failed'
    const againTime = new Date(now.getTime() + pause)
    await db.updateTable('event').set({ againTime }).where('id', '=', failed).execute()
    return 'told'
  }
}

/**
 * Tells everybody whom the events concern that are due: each person once, whichever process does it and wherever it is stopped. What
 * fails together is told one by one, so that one that cannot be told keeps no others from it.
 * @param signal stops between two transactions
 * @returns how many steps were made
 */
export async function tellDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  let steps = 0
  let most = remindersTogether
  while (!signal?.aborted) {
    const outcome = await tellNext(app, most)
    if (outcome === 'none') break
    if (outcome === 'failed') most = 1
    steps++
  }
  return steps
}
