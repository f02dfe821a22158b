import { sql } from 'kysely'
import type { examination } from '#resources/exams/examination'
import { ExamineStatus, SignStatus } from '#schemas/dictionaries'
import type { Measure } from '../../../crud/rules.ts'
import { inScope } from '../../../crud/scope.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { unready } from './unready.ts'

const exam = sql.ref<string>('t.id')

/**
 * How many are wanted in an exam `t`, how many have handed in a sign-up, and how many of those that the person who asks meets wait
 * for their first review; what it should have ready by now.
 */
export const examNumbers = {
  planNum: ({ app, person }) => {
    const wanted = liveAs(app, person).selectFrom('examitems as p').where('p.examId', '=', exam)
    return sql`coalesce(${wanted.select(eb => eb.fn.sum('p.curPlanNum').as('n'))}, 0)`
  },
  signNum: ({ app, person }) => {
    const counted = liveAs(app, person)
      .selectFrom('place_count as c')
      .where('c.examId', '=', exam)
      .where('c.code', '=', '')
    return sql`coalesce(${counted.select('c.signed')}, 0)`
  },
  waitNum: ({ app, person }) => {
    const waiting = liveAs(app, person)
      .selectFrom('signup as s')
      .where('s.examId', '=', exam)
      .where('s.signStatus', '=', SignStatus.submitted)
      .where('s.examine', '=', ExamineStatus.pending)
      .where(inScope(app, person, 'signup', 's'))
    return sql`${waiting.select(eb => eb.fn.countAll().as('n'))}`
  },
  unready,
} satisfies Measure<typeof examination>
