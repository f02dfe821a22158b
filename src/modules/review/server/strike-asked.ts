import { sql } from 'kysely'
import { StrikeAsked, signup } from '#resources/sign-up/signup'
import { SignStatus } from '#schemas/dictionaries'
import { readMeasures } from '../../../crud/measure.ts'
import { derived, type Measure } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Who has asked for the disqualification of a sign-up `t` that nobody has confirmed. */
const asked = {
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
} satisfies Measure<typeof signup>

/** Sign-ups with whether a disqualification waits for a second person. */
export const strikeAsked = derived(signup, {
  measure: asked,
  derive: async (ctx, rows) => {
    const found = await readMeasures(ctx, signup, asked, rows)
    return rows.map(row => found.get(row.id))
  },
})
