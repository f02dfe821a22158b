import { sql } from 'kysely'
import { ExamStatus, ReduceDecision } from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import type { ScopesNow } from '../../../crud/scope-rule.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

type Server = ScopesNow & Parameters<typeof liveAs>[0]

/** In how many exams a decided plan waits for this person to confirm it, who has decided on none of its positions, and since when. */
export async function reductionsWaiting(app: Server, person: Person) {
  const ripe = liveAs(app, person)
    .selectFrom('postreduction as r')
    .innerJoin('examination as e', 'e.id', 'r.examId')
    .where('e.examStatus', '=', ExamStatus.released)
    .where(inScope(app, person, 'postreduction', 'r'))
    .groupBy('r.examId')
    .having(
      sql<boolean>`bool_and(r."confirmTime" IS NULL AND r.decision <> ${sql.lit(ReduceDecision.pending)}
        AND r."updateUser" IS DISTINCT FROM ${person.userId}::bigint)`,
    )
    .select(eb => ['r.examId', eb.fn.max('r.updateTime').as('time')])
    .as('one')
  const { num, oldest } = await liveAs(app, person)
    .selectFrom(ripe)
    .select(eb => [eb.fn.countAll<string>().as('num'), eb.fn.min('one.time').as('oldest')])
    .executeTakeFirstOrThrow()
  return { num: Number(num), oldest, overdue: 0, due: null }
}
