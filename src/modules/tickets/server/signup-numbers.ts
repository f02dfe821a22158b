import { sql } from 'kysely'
import { signup } from '#resources/sign-up/signup'
import { askedId } from '../../../crud/measure.ts'
import { derived, type MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { strikeAsked } from '../../review/server/strike-asked.ts'
import { isMine, mine } from '../../review/server/waits-for-me.ts'
import { ticketStateOf } from '../../sign-up/server/ticket-state.ts'
import { unready } from './stage.ts'

/** The exam whose sign-ups are asked for, if any. */
const examOf = (ctx: MeasureContext): string | undefined => askedId(ctx, 'examId')

/** The sign-ups that keep the seats of a stage from being drawn, of the exam that is asked for or of all: the first reason, where several stages take them. */
const reasons = (ctx: MeasureContext) =>
  sql`(SELECT u.id, min(u.reason) AS value FROM ${unready(liveAs(ctx.app, ctx.person), ctx.now, examOf(ctx)).as('u')} GROUP BY u.id)`

/** Why a sign-up `t` does. Those of one exam are found at once and looked up by id, instead of one for each row. */
function reasonOf(ctx: MeasureContext) {
  if (examOf(ctx)) return sql`((SELECT jsonb_object_agg(r.id, r.value) FROM ${reasons(ctx)} r) ->> t.id::text)::int`
  const own = unready(liveAs(ctx.app, ctx.person), ctx.now).where('signup.id', '=', sql.ref<string>('t.id'))
  return sql`(SELECT min(u.reason) FROM ${own.as('u')})`
}

/** Whether it does: by the reason, or among those of one exam. */
function isUnready(ctx: MeasureContext) {
  const examId = examOf(ctx)
  const reason = ctx.known?.unready ?? (examId ? undefined : reasonOf(ctx))
  if (reason) return sql`(${reason} IS NOT NULL)::int`
  return sql`(t.id IN (SELECT u.id FROM ${unready(liveAs(ctx.app, ctx.person), ctx.now, examId).as('u')}))::int`
}

const ticketState = ({ app, person }: MeasureContext) => ticketStateOf(liveAs(app, person), 't.id')

/** What the database works out of a sign-up `t`. */
export const signupNumbers = derived(signup, {
  measure: { ticketState, strikeAsked, unready: reasonOf, isUnready, isMine },
  measureRows: { unready: reasons, isMine: mine },
})
