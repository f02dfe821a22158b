import { sql } from 'kysely'
import { signup } from '#resources/sign-up/signup'
import { isId } from '../../../crud/input.ts'
import { derived, type MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { strikeAsked } from '../../review/server/strike-asked.ts'
import { isMine } from '../../review/server/waits-for-me.ts'
import { ticketStateOf } from '../../sign-up/server/ticket-state.ts'
import { unready } from './stage.ts'

/** Why a sign-up `t` keeps the seats of a stage from being drawn: the first reason, where several stages take it. */
const reasonOf = ({ app, person, now }: MeasureContext) =>
  sql`(SELECT min(u.reason) FROM ${unready(liveAs(app, person), now).where('signup.id', '=', sql.ref<string>('t.id')).as('u')})`

/** Whether it does. Those of one exam are found at once, instead of one for each row. */
function isUnready(ctx: MeasureContext) {
  const { app, person, now, asked } = ctx
  const { examId } = asked
  if (!examId || !isId(examId)) return sql`(${reasonOf(ctx)} IS NOT NULL)::int`
  return sql`(t.id IN (SELECT u.id FROM ${unready(liveAs(app, person), now, examId).as('u')}))::int`
}

const ticketState = ({ app, person }: MeasureContext) => ticketStateOf(liveAs(app, person), 't.id')

/** What the database works out of a sign-up `t`. */
export const signupNumbers = derived(signup, {
  measure: { ticketState, strikeAsked, unready: reasonOf, isUnready, isMine },
})
