import { sql } from 'kysely'
import { daysAgo, type ListView, plainTests, sinceOf } from '#engine'
import type { Person } from '../platform/http/server/access.ts'
import { wireDay } from '../platform/http/server/wire.ts'
import { conditionSql } from './condition.ts'
import { all, type Fragment, ident } from './fragment.ts'

const DAY = 86_400_000

/** The SQL of a named filter on the rows `t` of a list, for whoever asks. */
export function listViewSql(view: ListView, { userId }: Person, now: Date): Fragment {
  const since = Object.entries(view).flatMap(([name, test]) => {
    const word = sinceOf(test)
    // A day stays the same for a day: what is counted by it can be remembered, unlike what is counted by an instant.
    return word === undefined
      ? []
      : [
          sql`${sql.raw(`t.${ident(name)}`)} >= (${wireDay(new Date(now.getTime() - (daysAgo(word) ?? 0) * DAY))}::timestamp AT TIME ZONE 'Asia/Shanghai')`,
        ]
  })
  return all([conditionSql(plainTests(view, userId)), ...since])
}
