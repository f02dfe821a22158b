import { sql } from 'kysely'
import '../../../platform/database/signup-tables.ts'
import type { Caller, Db } from '../../../platform/access/server/caller.ts'

/** How long a claim holds, in milliseconds. */
const life = 600_000

/** Who is looking at a sign-up. */
export interface Claim {
  userId: string
  userName: string
  until: Date
  mine: boolean
}

/** Who is looking at a sign-up now; null when nobody is. */
export async function claimOf(db: Db, signupId: string, { person, now }: Caller): Promise<Claim | null> {
  const row = await db
    .selectFrom('signup_claim')
    .selectAll()
    .where('signupId', '=', signupId)
    .where('until', '>', now)
    .executeTakeFirst()
  if (!row) return null
  return { userId: row.userId, userName: row.userName, until: row.until, mine: row.userId === person.userId }
}

/** Says that the caller is looking at a sign-up, unless somebody else already does; answers who does. A hint only. */
export async function claim(caller: Caller, signupId: string): Promise<Claim | null> {
  const { db, person, now } = caller
  const row = { userId: person.userId, userName: person.name.slice(0, 45), until: new Date(now.getTime() + life) }
  await db
    .insertInto('signup_claim')
    .values({ signupId, ...row })
    .onConflict(on =>
      on
        .column('signupId')
        .doUpdateSet(row)
        .where(sql<boolean>`signup_claim.until <= ${now} OR signup_claim."userId" = ${person.userId}`),
    )
    .execute()
  return claimOf(db, signupId, caller)
}
