import { sql } from 'kysely'
import { ExamineMode, ExamineStatus, ReviewStatus, SignStatus } from '#schemas/dictionaries'
import type { Db, ExamRow } from '../../../../platform/access/server/caller.ts'
import { type Appointment, coverOf, isLive, type Place, stands, unitsOf } from '../../rules/exam-staff.ts'
import { optionText } from '../../rules/sign-text.ts'
import { loadDicts } from '../candidate/dictionaries.ts'
import { type Line, linesOf, placesOf } from './lines.ts'
import { appointable } from './people.ts'
import { reviewedCode, reviewedUnit } from './reviewer.ts'

/** Exam roles of `exam_role` whose people look at sign-ups: first and second reviewer. */
const [first, second] = [2, 3]

/** How many sign-ups of each position wait for a reviewer of a role; none wait for any other role. */
async function waitingAt(db: Db, exam: ExamRow, examRole: number): Promise<ReadonlyMap<string, number>> {
  if (examRole !== first && (examRole !== second || exam.examineMode !== ExamineMode.firstAndSecond)) return new Map()
  const rows = await db
    .selectFrom('signup')
    .select([reviewedUnit.as('unit'), reviewedCode.as('code'), sql<string>`count(*)`.as('n')])
    .where('examId', '=', exam.id)
    .where('signStatus', '=', SignStatus.submitted)
    .where('examine', '=', examRole === first ? ExamineStatus.pending : ExamineStatus.approved)
    .$if(examRole === second, query => query.where('reviewStatus', '=', ReviewStatus.pending))
    .groupBy([reviewedUnit, reviewedCode])
    .execute()
  return new Map(rows.map(row => [`${row.unit} ${row.code}`, Number(row.n)]))
}

interface Cells {
  /** True when an appointment names no units: all of them, also ones to come. */
  all: boolean
  /** Units with all of their positions. */
  units: string[]
  /** Units with some of their positions. */
  part: string[]
  /** Units whose appointment begins or ends, with its times. */
  timed: Record<string, { startTime: Date | null; endTime: Date | null }>
}

function cellsOf(own: readonly Appointment[], places: readonly Place[]): Cells {
  const units = unitsOf(places)
  const cover = new Map(units.map(unit => [unit, coverOf(own, unit, places)]))
  const timed = units.flatMap(unit => {
    const here = own.filter(one => places.some(place => place.unit === unit && stands(one, place)))
    const [line] = here
    const isTimed = line && here.every(one => one.startTime !== null || one.endTime !== null)
    return isTimed ? [[unit, { startTime: line.startTime, endTime: line.endTime }] as const] : []
  })
  return {
    all: own.some(one => !one.units && !one.codes),
    units: units.filter(unit => cover.get(unit) === 'full'),
    part: units.filter(unit => cover.get(unit) === 'part'),
    timed: Object.fromEntries(timed),
  }
}

/** Everybody with an appointment in the role, also one that is over, with the units and times now and later. */
async function peopleIn(db: Db, lines: readonly Line[], places: readonly Place[], now: Date) {
  const ids = [...new Set(lines.map(line => line.userId))]
  const usable = await appointable(db, ids)
  return ids.map(userId => {
    const own = lines.filter(line => line.userId === userId)
    const live = own.filter(line => line.enable === 1 && isLive(line, now))
    const name = usable.get(userId) ?? own.at(-1)?.userName ?? ''
    return { userId, name, usable: usable.has(userId), idle: own.length - live.length, ...cellsOf(live, places) }
  })
}

/**
 * Who covers which unit of an exam in a role. A unit lacks somebody when one of its positions in use, or one where
 * sign-ups wait, has nobody who may still work: the rule of the release. People whose account is out of use cover nothing.
 */
export async function matrixOf(db: Db, exam: ExamRow, examRole: number, now: Date) {
  const [places, all, waiting, dicts] = await Promise.all([
    placesOf(db, exam.id),
    linesOf(db, exam.id),
    waitingAt(db, exam, examRole),
    loadDicts(db, ['recruit_unit']),
  ])
  const lines = all.filter(line => line.examRole === examRole)
  const people = await peopleIn(db, lines, places, now)
  const working = new Set(people.filter(one => one.usable).map(one => one.userId))
  const live = lines.filter(line => line.enable === 1 && isLive(line, now) && working.has(line.userId))
  const waits = (place: Place) => waiting.get(`${place.unit} ${place.code}`) ?? 0
  const lacks = (place: Place & { enable: number }) =>
    (place.enable === 1 || waits(place) > 0) && !live.some(line => stands(line, place))
  const units = unitsOf(places).map(unit => {
    const own = places.filter(place => place.unit === unit)
    return {
      unit,
      unitName: optionText(dicts.recruit_unit, unit),
      posts: own.length,
      waiting: own.reduce((sum, place) => sum + waits(place), 0),
      lacking: own.filter(lacks).map(place => place.code),
    }
  })
  const { id, examName, examStatus, examineMode } = exam
  return { exam: { id, examName, examStatus, examineMode }, examRole, units, people }
}
