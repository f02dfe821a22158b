import { sql } from 'kysely'
import { optionText } from '../../../engine/sign-text.ts'
import { holdsNow } from '../../crud/appointment.ts'
import type { Caller } from '../signup/caller.ts'
import { loadDicts } from '../signup/dictionaries.ts'
import { reviewedCode, reviewedUnit, reviews } from './reviewer.ts'

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
    .where('signup.signStatus', '=', 1)
    .where(reviews(person, [2, 3], now))
    .select([
      sql<string>`count(*) FILTER (WHERE signup.examine = 0)`.as('wait'),
      sql<string>`count(*) FILTER (WHERE signup.examine = 1)`.as('pass'),
      sql<string>`count(*) FILTER (WHERE signup.examine = 2)`.as('refuse'),
      sql<string>`count(*) FILTER (WHERE signup.examine = 3)`.as('back'),
      sql<string>`count(*) FILTER (WHERE signup."reduceState" = 2)`.as('move'),
    ])

/** Units and positions of an exam with sign-ups in the caller's scope, with their numbers. */
export async function reviewUnits(caller: Caller, examId: string) {
  const [rows, dicts] = await Promise.all([
    inReview(caller)
      .leftJoin('examitems as p', join =>
        join.onRef('p.examId', '=', 'signup.examId').on('p.code', '=', reviewedCode).on('p.isDeleted', '=', 0),
      )
      .select([reviewedUnit.as('unit'), reviewedCode.as('code'), 'p.type', 'p.postName'])
      .where('signup.examId', '=', examId)
      .groupBy([reviewedUnit, reviewedCode, 'p.type', 'p.postName'])
      .orderBy(reviewedUnit)
      .orderBy(reviewedCode)
      .execute(),
    loadDicts(caller.db, caller.person.tenantId, ['recruit_unit', 'post_type']),
  ])
  const codes = rows.map(({ unit, code, type, postName, ...tally }) => ({
    ...{ unit, code, type, postName, typeName: optionText(dicts.post_type, type) },
    ...{ wait: Number(tally.wait), pass: Number(tally.pass), refuse: Number(tally.refuse), back: Number(tally.back) },
  }))
  return [...new Set(codes.map(one => one.unit))].map(unit => {
    const own = codes.filter(one => one.unit === unit)
    return { unit, unitName: optionText(dicts.recruit_unit, unit), ...sumOf(own), codes: own }
  })
}

/** The exams the caller is appointed to review now, with his roles and how many wait for a first review. */
export async function reviewExams(caller: Caller) {
  const { db, person, now } = caller
  const [appointed, tallies] = await Promise.all([
    db
      .selectFrom('examuser as s')
      .innerJoin('examination as e', 'e.id', 's.examId')
      .select(['e.id', 'e.examName', 'e.examineMode', 'e.examineEndTime', 'e.examStatus', 's.examRole'])
      .where('s.userId', '=', person.userId)
      .where('s.tenantId', '=', person.tenantId)
      .where('s.examRole', 'in', [2, 3])
      .where('e.isDeleted', '=', 0)
      .where('e.examStatus', 'in', [1, 2])
      .where(holdsNow('s', now))
      .orderBy('e.signStartTime', 'desc')
      .execute(),
    inReview(caller).select('signup.examId').groupBy('signup.examId').execute(),
  ])
  return [...new Set(appointed.map(one => one.id))].map(id => {
    const rows = appointed.filter(one => one.id === id)
    const { examName, examineMode, examineEndTime } = rows[0]!
    const tally = tallies.find(one => one.examId === id)
    return {
      examId: id,
      examName,
      examineMode,
      examineEndTime,
      roles: [...new Set(rows.map(one => one.examRole))],
      wait: Number(tally?.wait ?? 0),
      move: Number(tally?.move ?? 0),
    }
  })
}
