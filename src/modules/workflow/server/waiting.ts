import { type Expression, type RawBuilder, sql } from 'kysely'
import './flow-tables.ts'
import type { Live } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'

/** Task `a` waits for this person. */
export const isMine = ({ userId }: Person): RawBuilder<boolean> =>
  sql`a.type = 'userTask' AND a."endTime" IS NULL AND a.assignee = ${userId}`

/** Task `a` waits for somebody of this person's roles. */
export const isClaimable = ({ roles }: Person): RawBuilder<boolean> =>
  sql`a.type = 'userTask' AND a."endTime" IS NULL AND a.assignee IS NULL AND a.groups && ${[...roles]}::text[]`

const lists = [
  { code: 'flowTodo', needs: 'work_todo', is: isMine },
  { code: 'flowClaim', needs: 'work_claim', is: isClaimable },
]

/** How much of one kind of work waits. */
export interface Waiting {
  code: string
  num: number
}

/** What waits for a person in processes, as parts of the statement that counts all work. */
export const flowWaiting = (db: Live, person: Person): Expression<Waiting>[] =>
  lists
    .filter(({ needs }) => person.permissions.has(needs))
    .map(({ code, is }) =>
      db
        .selectFrom('flow_activity as a')
        .innerJoin('flow_instance as i', 'i.id', 'a.instanceId')
        .select([sql<string>`${code}::text`.as('code'), sql<number>`count(*)::int`.as('num')])
        .where(is(person)),
    )
