import { type RawBuilder, sql } from 'kysely'
import type { Fragment } from '../../../crud/fragment.ts'
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

/** What waits for a person in processes, as parts of the statement that counts all work: `code` and `num`. */
export const flowWaiting = (person: Person): Fragment[] =>
  lists
    .filter(({ needs }) => person.permissions.has(needs))
    .map(
      ({ code, is }) => sql`SELECT ${code}::text AS code, count(*)::int AS num FROM flow_activity a
        JOIN flow_instance i ON i.id = a."instanceId" WHERE i."tenantId" = ${person.tenantId} AND ${is(person)}`,
    )
