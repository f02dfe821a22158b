import { sql } from 'kysely'
import { StrikeAsked } from '#resources/sign-up/signup'
import { SignStatus } from '#schemas/dictionaries'
import type { MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Who has asked for a disqualification of a sign-up `t` that waits for a second person. */
export const strikeAsked = ({ app, person }: MeasureContext) =>
  sql`coalesce((${liveAs(app, person)
    .selectFrom('signup_strike as k')
    .where('k.signupId', '=', sql.ref<string>('t.id'))
    .where(sql<boolean>`t."signStatus" = ${sql.lit(SignStatus.submitted)}`)
    .select(
      sql<number>`CASE WHEN k."userId" = ${person.userId} THEN ${sql.lit(StrikeAsked.byOneself)} ELSE ${sql.lit(StrikeAsked.byAnother)} END`.as(
        'by',
      ),
    )}), ${sql.lit(StrikeAsked.no)})`
