import { ExamineStatus, ExamStatus, PayState, SignStatus } from '#schemas/dictionaries'
import { inScope } from '../../../crud/scope.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { startOfDay } from '../../../platform/http/server/wire.ts'
import { deadlinesOf, type ExamTimes, stagesOf, standingOf } from '../../exams/rules/exam-phase.ts'
import { withLists } from '../../exams/server/public-lists.ts'
import { latestNotices } from '../../notices/server/lists.ts'
import { type DeskApp, startList } from './start-list.ts'
import { todosOf } from './todos.ts'

/** Most exams shown. */
const shown = 8

type ExamRow = ExamTimes & { id: string; examName: string } & Partial<Record<Count, number>>
type Count = 'signed' | 'today' | 'waiting' | 'passed' | 'paid'

/** Pages that show sign-ups; whoever opens one may know how many there are. */
const signupPages = ['signup', 'examine_list', 'examine_review']
/** Whether a person may know how many sign-ups there are. */
export const seesSignups = (person: Person): boolean => signupPages.some(code => person.permissions.has(code))

/** The released exams of this person with their phases, the nearest deadline first, and how many people stand where in them. */
async function runningExams(app: DeskApp, person: Person) {
  const now = app.now()
  const rows: ExamRow[] = await liveAs(app, person)
    .selectFrom('examination as t')
    .selectAll('t')
    .where(inScope(app, person, 'examination', 't'))
    .where('t.examStatus', '=', ExamStatus.released)
    // For whoever may see the sign-ups, of those that this person may see.
    .$if(seesSignups(person), query =>
      query
        .innerJoinLateral(
          eb =>
            eb
              .selectFrom('signup as s')
              .select(({ fn, cast }) => [
                cast<number>(fn.countAll(), 'integer').as('signed'),
                cast<number>(fn.countAll().filterWhere('s.submitTime', '>=', startOfDay(now)), 'integer').as('today'),
                cast<number>(fn.countAll().filterWhere('s.examine', '=', ExamineStatus.pending), 'integer').as(
                  'waiting',
                ),
                cast<number>(fn.countAll().filterWhere('s.examine', '=', ExamineStatus.approved), 'integer').as(
                  'passed',
                ),
                cast<number>(fn.countAll().filterWhere('s.payState', '=', PayState.paid), 'integer').as('paid'),
              ])
              .whereRef('s.examId', '=', 't.id')
              .where('s.signStatus', '=', SignStatus.submitted)
              .where(inScope(app, person, 'signup', 's'))
              .as('n'),
          join => join.onTrue(),
        )
        .selectAll('n'),
    )
    .orderBy('t.signEndTime', 'desc')
    .limit(50)
    .execute()
  const exams = await withLists(liveAs(app, person), rows)
  return exams
    .map(exam => ({
      id: exam.id,
      examName: exam.examName,
      ...standingOf(exam, now),
      stages: stagesOf(exam, now),
      deadlines: deadlinesOf(exam, now),
      signed: exam.signed,
      today: exam.today,
      waiting: exam.waiting,
      passed: exam.passed,
      paid: exam.paid,
    }))
    .filter(({ phases }) => !phases.includes('已结束'))
    .sort(
      (a, b) => Number(a.deadline?.at ?? Number.MAX_SAFE_INTEGER) - Number(b.deadline?.at ?? Number.MAX_SAFE_INTEGER),
    )
    .slice(0, shown)
}

/** What waits for a person, and the exams that are running. */
export async function staffWork(app: DeskApp, person: Person) {
  const [todo, exams] = await Promise.all([todosOf(app, person), runningExams(app, person)])
  return { todo, exams, serverTime: app.now() }
}

/** Notices on the first page. */
const notices = 3

/** Everything on the first page of staff: their work, the latest notices, and what a new installation still needs. */
export async function staffHome(app: DeskApp, person: Person) {
  const [work, latest, start] = await Promise.all([
    staffWork(app, person),
    latestNotices(liveAs(app, person), person, app, notices),
    startList(app, person),
  ])
  return { ...work, notices: latest, start }
}
