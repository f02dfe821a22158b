import { sql } from 'kysely'
import { StrikeAsked, signup } from '#resources/sign-up/signup'
import { SignStatus } from '#schemas/dictionaries'
import { derived } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Sign-ups `t` with who has asked for a disqualification that waits for a second person. */
export const strikeAsked = derived(signup, {
  measure: {
    strikeAsked: ({ app, person }) =>
      sql`coalesce((${liveAs(app, person)
        .selectFrom('signup_strike as k')
        .where('k.signupId', '=', sql.ref<string>('t.id'))
        .where(sql<boolean>`t."signStatus" = ${sql.lit(SignStatus.submitted)}`)
        .select(
          sql<number>`CASE WHEN k."userId" = ${person.userId} THEN ${sql.lit(StrikeAsked.byOneself)} ELSE ${sql.lit(StrikeAsked.byAnother)} END`.as(
            'by',
          ),
        )}), ${sql.lit(StrikeAsked.no)})`,
  },
})
