import { sql } from 'kysely'
import { ExamineStage, ExamineStatus, ExamRole, ExamStatus, SignStatus } from '#schemas/dictionaries'
import type { Caller } from '../../../platform/access/server/caller.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { holdsNow } from '../../exams/server/appointment.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { reviewedCode, reviewedUnit, reviews } from '../../exams/server/staff/reviewer.ts'
import type { Stage } from '../contract.ts'
import { asked } from './filter.ts'

/** How many wait, passed, were refused or returned. */
interface Tally {
  wait: number
  pass: number
  refuse: number
  back: number
}

const sumOf = (lines: readonly Tally[]): Tally => ({
  wait: lines.reduce((sum, one) => sum + one.wait, 0),
  pass: lines.reduce((sum, one) => sum + one.pass, 0),
  refuse: lines.reduce((sum, one) => sum + one.refuse, 0),
  back: lines.reduce((sum, one) => sum + one.back, 0),
})

const inReview = ({ db, person, now }: Caller) =>
  db
    .selectFrom('signup')
    .where('signup.signStatus', '=', SignStatus.submitted)
    .where(reviews(person, [ExamRole.firstReviewer, ExamRole.secondReviewer], now))
    .select([
      sql<string>`count(*) FILTER (WHERE signup.examine = ${sql.lit(ExamineStatus.pending)})`.as('wait'),
      sql<string>`count(*) FILTER (WHERE signup.examine = ${sql.lit(ExamineStatus.approved)})`.as('pass'),
      sql<string>`count(*) FILTER (WHERE signup.examine = ${sql.lit(ExamineStatus.rejected)})`.as('refuse'),
      sql<string>`count(*) FILTER (WHERE signup.examine = ${sql.lit(ExamineStatus.returned)})`.as('back'),
    ])

/** Units and positions of an exam with sign-ups in the caller's scope, with their numbers. */
export async function unitsOf(caller: Caller, examId: string) {
  const [rows, dicts] = await Promise.all([
    inReview(caller)
      .leftJoin('examitems as p', join => join.onRef('p.examId', '=', 'signup.examId').on('p.code', '=', reviewedCode))
      .select([reviewedUnit.as('unit'), reviewedCode.as('code'), 'p.type', 'p.postName'])
      .where('signup.examId', '=', examId)
      .groupBy([reviewedUnit, reviewedCode, 'p.type', 'p.postName'])
      .orderBy(reviewedUnit)
      .orderBy(reviewedCode)
      .execute(),
    loadDicts(caller.db, ['recruit_unit', 'post_type']),
  ])
  const codes = rows.map(({ unit, code, type, postName, ...tally }) => ({
    unit,
    code,
    type,
    postName,
    typeName: optionText(dicts.post_type, type),
    wait: Number(tally.wait),
    pass: Number(tally.pass),
    refuse: Number(tally.refuse),
    back: Number(tally.back),
  }))
  return [...new Set(codes.map(one => one.unit))].map(unit => {
    const own = codes.filter(one => one.unit === unit)
    return { unit, unitName: optionText(dicts.recruit_unit, unit), ...sumOf(own), codes: own }
  })
}

/** How many sign-ups of each exam wait in a stage, as its list counts them. */
async function waitingByExam(caller: Caller, stage: Stage): Promise<ReadonlyMap<string, number>> {
  const rows = await asked(caller, { stage, part: 'wait' })
    .select(eb => ['signup.examId', eb.fn.countAll<string>().as('n')])
    .groupBy('signup.examId')
    .execute()
  return new Map(rows.map(({ examId, n }) => [examId, Number(n)]))
}

/** The exams the caller is appointed to review now, with the caller's roles and how many wait in each stage. */
export async function examsOf(caller: Caller) {
  const { db, person, now } = caller
  const [appointed, wait, check, move] = await Promise.all([
    db
      .selectFrom('examuser as s')
      .innerJoin('examination as e', 'e.id', 's.examId')
      .select(['e.id', 'e.examName', 'e.examineMode', 'e.examineEndTime', 'e.examStatus', 's.examRole'])
      .where('s.userId', '=', person.userId)
      .where('s.examRole', 'in', [ExamRole.firstReviewer, ExamRole.secondReviewer])
      .where('e.examStatus', 'in', [ExamStatus.released, ExamStatus.closed])
      .where(holdsNow('s', now))
      .orderBy('e.signStartTime', 'desc')
      .execute(),
    waitingByExam(caller, ExamineStage.first),
    waitingByExam(caller, ExamineStage.second),
    waitingByExam(caller, ExamineStage.reassignment),
  ])
  return [...new Set(appointed.map(one => one.id))].map(id => {
    const rows = appointed.filter(one => one.id === id)
    const { examName, examineMode, examineEndTime } = rows[0]!
    return {
      examId: id,
      examName,
      examineMode,
      examineEndTime,
      roles: [...new Set(rows.map(one => one.examRole))],
      wait: wait.get(id) ?? 0,
      check: check.get(id) ?? 0,
      move: move.get(id) ?? 0,
    }
  })
}
