import { sql } from 'kysely'
import { signup } from '#resources/sign-up/signup'
import { isId } from '../../../crud/input.ts'
import { derived, type MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { strikeAsked } from '../../review/server/strike-asked.ts'
import { isMine } from '../../review/server/waits-for-me.ts'
import { ticketStateOf } from '../../sign-up/server/ticket-state.ts'
import { unready } from './stage.ts'

/** The exam whose sign-ups are asked for, if any. */
const examOf = ({ asked: { examId } }: MeasureContext): string | undefined =>
  examId && isId(examId) ? examId : undefined

/**
 * Why a sign-up `t` keeps the seats of a stage from being drawn: the first reason, where several stages take it. Those of one exam are
 * found at once and looked up by id, instead of one for each row.
 */
function reasonOf(ctx: MeasureContext) {
  const db = liveAs(ctx.app, ctx.person)
  const examId = examOf(ctx)
  if (!examId)
    return sql`(SELECT min(u.reason) FROM ${unready(db, ctx.now).where('signup.id', '=', sql.ref<string>('t.id')).as('u')})`
  const all = sql`SELECT jsonb_object_agg(u.id, u.reason) FROM (SELECT id, min(reason) AS reason FROM ${unready(db, ctx.now, examId).as('u')} GROUP BY id) u`
  return sql`((${all}) ->> t.id::text)::int`
}

/** Whether it does. */
function isUnready(ctx: MeasureContext) {
  const examId = examOf(ctx)
  if (!examId) return sql`(${reasonOf(ctx)} IS NOT NULL)::int`
  return sql`(t.id IN (SELECT u.id FROM ${unready(liveAs(ctx.app, ctx.person), ctx.now, examId).as('u')}))::int`
}

const ticketState = ({ app, person }: MeasureContext) => ticketStateOf(liveAs(app, person), 't.id')

/** What the database works out of a sign-up `t`. */
export const signupNumbers = derived(signup, {
  measure: { ticketState, strikeAsked, unready: reasonOf, isUnready, isMine },
})
