import type { FastifyInstance } from 'fastify'
import { type RawBuilder, sql } from 'kysely'
import type { DeadlineName, Reminder } from '#engine'
import { reminderRules } from '#resources/reminders'
import { MsgStatus } from '#schemas/dictionaries'
import { type Live, type LiveTrx, liveAcross, liveFor } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { eachAlone } from '../../../platform/queue/each-alone.ts'
import { callOffTexts } from '../../messages/server/tell.ts'
import { stepNow } from '../rules/due.ts'
import { type Deadline, deadlinesOf, type Moment, momentOf } from './deadlines.ts'
import { peopleOf } from './populations.ts'
import { changedReminders, planOf } from './reminder-settings.ts'

/** Milliseconds in which nobody is reminded of what has only just begun. */
const grace = 30 * 60_000

type Server = Pick<FastifyInstance, 'db' | 'now' | 'log'>

/** A deadline in a statement. */
interface DeadlineColumns {
  scopeId: string
  examId: string | null
  end: string
  until: string
  step: number
  most: number | null
}

/** The end as a reminder is told apart by it. */
const endOf = ({ end }: Pick<Deadline, 'end'>): string => String(end.getTime())

/** The part of `once` that says of which end a reminder is. */
const endIn = (column: string): RawBuilder<string> => sql<string>`split_part(${sql.ref(column)}, ':', 5)`

/** The end that a reminder was made for; null for other events. */
export const reminderEnd = ({ code, once }: { code: string; once: string | null }): Date | null =>
  once !== null && reminderRules.has(code) ? new Date(Number(once.split(':')[4])) : null

/** Deadlines as a table `d` of a statement. */
const table = (rows: readonly (Deadline & { readonly step?: number; readonly most?: number | null })[]) =>
  sql<DeadlineColumns>`jsonb_to_recordset(${JSON.stringify(
    rows.map(one => ({ ...one, end: endOf(one), until: one.until.toISOString() })),
  )}::jsonb)`.as<'d'>(sql`d ("scopeId" bigint, "examId" bigint, "end" text, until text, step int, most int)`)

/** Of each row that a rule has reminded of: how often, and for which ends. Counted for all rows at once, not for each by itself. */
const remindedBefore = (db: Live, code: string) =>
  db
    .selectFrom('event as r')
    .where('r.code', '=', code)
    .groupBy('r.subjectId')
    .select(eb => [
      'r.subjectId as remindedId',
      eb.fn.countAll<number>().as('times'),
      sql<string[]>`array_agg(${endIn('r.once')})`.as('ends'),
    ])

/** A step of a rule that is due for the rows of a deadline. */
type DueStep = Deadline & { readonly step: number; readonly most: number | null }

/** What tells a reminder apart: its rule, its row, its step and its end. */
const onceOf = (name: string): RawBuilder<string> =>
  sql<string>`concat_ws(':', 'remind', ${name}::text, p."subjectId", d.step, d."end")`

/** Those who are to be reminded by steps that are due. */
const dueRows = (db: Live, { name, reminds }: Reminder, due: readonly DueStep[], moment: Moment) =>
  db
    .selectFrom(peopleOf(db, reminds.who, moment).as('p'))
    .innerJoin(table(due), join => join.onRef('d.scopeId', '=', 'p.scopeId'))
    .leftJoin(remindedBefore(db, name).as('b'), join => join.on('b.remindedId', '=', sql<string>`p."subjectId"::text`))
    .where('p.since', '<=', new Date(moment.now.getTime() - grace))
    .where(
      sql<boolean>`(d.most IS NULL OR b.times IS NULL
        OR (cardinality(array_positions(b.ends, d."end")) < d.most AND b.times <= d.most))`,
    )

/** Whether this process makes the events of a rule now; where another does, nothing is left to do. */
async function isMine(trx: LiveTrx, tenantId: string, name: string): Promise<boolean> {
  const { rows } = await sql<{ mine: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended(${`remind ${tenantId} ${name}`}, 8131)) AS mine`.execute(trx)
  return rows[0]?.mine === true
}

/** Makes the events of a reminder that are due and were not made. @returns how many were made */
async function insertEvents(trx: LiveTrx, rule: Reminder, due: readonly DueStep[], moment: Moment): Promise<number> {
  const { name, fields, data } = rule
  const facts = [...fields, ...Object.keys(data)].map(
    fact => sql`${sql.lit(fact)}, ${sql.ref(fact === 'until' ? 'd.until' : `p.${fact}`)}`,
  )
  const made = await trx
    .insertInto('event')
    .columns(['code', 'subjectId', 'examId', 'facts', 'once'])
    .expression(
      dueRows(trx, rule, due, moment).select([
        sql<string>`${name}::text`.as('code'),
        sql<string>`p."subjectId"::text`.as('subjectId'),
        'd.examId',
        sql<string>`jsonb_build_object(${sql.join(facts)})`.as('facts'),
        onceOf(name).as('once'),
      ]),
    )
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return Number(made.numInsertedOrUpdatedRows ?? 0)
}

/**
 * Makes the events of a reminder for all who are to be reminded by a step that is due, each once whoever makes it.
 * @returns how many were made
 */
async function makeEvents(
  db: Live,
  tenantId: string,
  rule: Reminder,
  due: readonly DueStep[],
  moment: Moment,
): Promise<number> {
  return db.transaction().execute(async trx => {
    if (!(await isMine(trx, tenantId, rule.name))) return 0
    // Planned while there are few events, thousands of people would be looked up in thousands of events one by one.
    await sql`SET LOCAL enable_nestloop = off`.execute(trx)
    return insertEvents(trx, rule, due, moment)
  })
}

/** A reminder that was made: of which row, and of which end. */
interface Made {
  readonly subjectId: string
  readonly end: string
}

const markOf = ({ subjectId, end }: Made): string => `${subjectId} ${end}`

/**
 * Those of some reminders of a rule that are of no use any more: what they ask for is done, or its end has moved or is past. Who is
 * reminded still is asked once for all of them, not for each.
 */
async function overAmong<M extends Made>(
  db: Live,
  { reminds }: Reminder,
  made: readonly M[],
  deadlines: readonly Deadline[],
  moment: Moment,
): Promise<M[]> {
  if (made.length === 0) return []
  const subjects = [...new Set(made.map(one => one.subjectId))]
  const still = await db
    .selectFrom(peopleOf(db, reminds.who, moment).as('p'))
    .innerJoin(table(deadlines), join => join.onRef('d.scopeId', '=', 'p.scopeId'))
    .where('p.subjectId', '=', sql<string>`ANY(${subjects}::bigint[])`)
    .select([sql<string>`p."subjectId"::text`.as('subjectId'), 'd.end'])
    .execute()
  const marks = new Set(still.map(markOf))
  return made.filter(one => !marks.has(markOf(one)))
}

/** Those of some events of a rule that are of no use any more. */
async function eventsOver(db: Live, rule: Reminder, eventIds: readonly string[], moment: Moment): Promise<string[]> {
  const made = await db
    .selectFrom('event as e')
    .where('e.id', 'in', [...eventIds])
    .select(['e.id', 'e.subjectId', endIn('e.once').as('end')])
    .execute()
  const deadlines = await deadlinesOf(db, rule.reminds.before, moment)
  return (await overAmong(db, rule, made, deadlines, moment)).map(one => one.id)
}

/** Whether a reminder is of no use any more, whichever way it would go; false for other events. */
export async function isReminderOver(db: Live, event: { id: string; code: string }, now: Date): Promise<boolean> {
  const rule = reminderRules.get(event.code)
  if (!rule) return false
  const moment = await momentOf(db, now)
  return (await eventsOver(db, rule, [event.id], moment)).length > 0
}

/** Of how many rows somebody would be reminded now, whatever the step. */
export async function countPeople(
  db: Live,
  rule: Reminder,
  deadlines: readonly Deadline[],
  moment: Moment,
): Promise<number> {
  const { n } = await db
    .selectFrom(peopleOf(db, rule.reminds.who, moment).as('p'))
    .innerJoin(table(deadlines), join => join.onRef('d.scopeId', '=', 'p.scopeId'))
    .select(eb => eb.fn.count<string>('p.subjectId').distinct().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

/** Marks messages as done whose reminders are of no use any more, and calls off the texts that say the same. */
async function settleOver(
  db: LiveTrx,
  tenantId: string,
  rule: Reminder,
  deadlines: readonly Deadline[],
  moment: Moment,
): Promise<void> {
  const open = await db
    .selectFrom('message as m')
    .innerJoin('event as e', 'e.id', 'm.eventId')
    .where('m.code', '=', rule.name)
    .where('m.until', '>', moment.now)
    .where('m.doneTime', 'is', null)
    .select(['m.id', 'e.subjectId', endIn('e.once').as('end')])
    .execute()
  const over = await overAmong(db, rule, open, deadlines, moment)
  if (over.length === 0) return
  const done = await db
    .updateTable('message')
    .set({ doneTime: moment.now })
    .where('id', '=', sql<string>`ANY(${over.map(one => one.id)}::bigint[])`)
    .where('doneTime', 'is', null)
    .returning('id')
    .execute()
  await callOffTexts(
    db,
    tenantId,
    done.map(one => one.id),
  )
}

/** Reminds the people of one tenant of what is due. @returns how many reminders were made */
async function remindTenant(app: Server, tenantId: string, now: Date, signal?: AbortSignal): Promise<number> {
  const db = liveFor(app, { tenantId, userId: null, now: () => now })
  const moment = await momentOf(db, now)
  const changed = await changedReminders(db)
  const found = new Map<DeadlineName, Promise<Deadline[]>>()
  let made = 0
  for (const rule of reminderRules.values()) {
    if (signal?.aborted) break
    const { before } = rule.reminds
    if (!found.has(before)) found.set(before, deadlinesOf(db, before, moment))
    const deadlines = (await found.get(before)) ?? []
    const due = deadlines.flatMap(one => {
      const { isOn, steps, most } = planOf(rule, changed, one.examId)
      const now = isOn ? stepNow(one, steps, moment) : undefined
      return now ? [{ ...one, step: now.step, most }] : []
    })
    if (due.length > 0) made += await makeEvents(db, tenantId, rule, due, moment)
    await db.transaction().execute(trx => settleOver(trx, tenantId, rule, deadlines, moment))
  }
  return made
}

/**
 * Makes the reminders that are due, in all tenants; people are told of them as of all events. Any number of processes may do it.
 * @param signal stops between two rules
 * @returns how many were made
 */
export async function remindDue(app: Server, signal?: AbortSignal): Promise<number> {
  const now = app.now()
  const tenants = await liveAcross(app, { now: () => now })
    .selectFrom('tenant')
    .select('tenantId')
    .execute()
  return eachAlone(app, tenants, ({ tenantId }) => remindTenant(app, tenantId, now, signal), signal)
}

/** Said of a text message that nobody has any use for. */
const tooLate = '已过截止时间，未发送'

/** Calls off the texts of a sending that would come after the time by which somebody can act on them. */
async function callOffLate(app: Server, sendId: string): Promise<void> {
  const now = app.now()
  const late = await liveAcross(app, { now: () => now })
    .selectFrom('sendmessage as w')
    .innerJoin('message as m', join => join.on('m.id', '=', sql<string>`w."messageId"::bigint`))
    .select(['m.id', 'w.tenantId'])
    .where('w.sendId', '=', sendId)
    .where('w.msgStatus', 'in', [MsgStatus.queued, MsgStatus.held])
    .where('m.until', '<', now)
    .execute()
  const [first] = late
  if (!first) return
  const ids = late.map(one => one.id)
  await liveAcross(app, { now: () => now })
    .transaction()
    .execute(trx => callOffTexts(programOf(trx, first, now), first.tenantId, ids, tooLate))
}

/**
 * Calls off the texts of a sending that are of no use any more since it was entered: that come too late, that remind of what has been done, or
 * whose end has moved.
 */
export async function callOffOver(app: Server, sendId: string): Promise<void> {
  await callOffLate(app, sendId)
  const now = app.now()
  const queued = await liveAcross(app, { now: () => now })
    .selectFrom('sendmessage as w')
    .innerJoin('message as m', join => join.on('m.id', '=', sql<string>`w."messageId"::bigint`))
    .select(['m.id', 'm.eventId', 'm.code', 'w.tenantId'])
    .where('w.sendId', '=', sendId)
    .where('w.msgStatus', 'in', [MsgStatus.queued, MsgStatus.held])
    .where('m.code', 'in', [...reminderRules.keys()])
    .execute()
  const [first] = queued
  const rule = first && reminderRules.get(first.code)
  if (!rule) return
  const { tenantId } = first
  await liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const db = programOf(trx, { tenantId }, now)
      const moment = await momentOf(db, now)
      const over = await eventsOver(
        db,
        rule,
        queued.map(one => one.eventId),
        moment,
      )
      const ids = queued.filter(one => over.includes(one.eventId)).map(one => one.id)
      if (ids.length === 0) return
      await db
        .updateTable('message')
        .set({ doneTime: now })
        .where('id', 'in', ids)
        .where('doneTime', 'is', null)
        .execute()
      await callOffTexts(db, tenantId, ids)
    })
}
