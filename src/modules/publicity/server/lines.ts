import { sql } from 'kysely'
import {
  ExamineMode,
  ExamineStatus,
  PayState,
  PublicityKind,
  ReduceDecision,
  ReleaseStatus,
  ReviewStatus,
  reduceDecision,
  SignStatus,
} from '#schemas/dictionaries'
import type { Publicity } from '#schemas/publicity/publicity'
import { maskName } from '../../../engine/mask-name.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { shortDecimal } from '../../results/rules/result-score.ts'
import { finalList } from '../../results/server/final.ts'
import { type MarkLine, marksOf, positionsOf, stagesOf } from '../../results/server/marks.ts'
import { resultWord } from '../../results/server/routes/final-sheet.ts'
import { type CellName, isAboutPeople, knownColumns, type OwnKind, showsFullNames } from '../rules/columns.ts'

/** One line of a public list as the data say it: whose it is, and its cells in words. */
export interface Line {
  /** The sign-up, or for lists of positions the code of the position. */
  key: string
  signupId: string | null
  cells: Readonly<Partial<Record<CellName, string>>>
  /** What the list says beside the line where nobody has noted anything else. */
  remark?: string
}

/** A list whose lines are made. */
export type ListOf = Pick<Publicity, 'examId' | 'itemId' | 'publicityKind' | 'replaces'>

/** A list with lines of its own. */
interface Source {
  examId: string
  itemId: string | null
  kind: OwnKind
}

const bodyChecks: readonly string[] = ['5', '6']

/** Corrections that correct corrections, at most. */
const deepest = 50

/**
 * The kind and the stage whose lines a list has: its own, or for a correction those of the list that it replaces in the end.
 * @throws input.invalid for a correction of a list that is not there
 */
export async function sourceOf(db: Live, list: ListOf): Promise<Source> {
  let at: ListOf = list
  for (let depth = 0; at.publicityKind === PublicityKind.correction && depth < deepest; depth++) {
    const before = at.replaces
      ? await db
          .selectFrom('publicity')
          .select(['examId', 'itemId', 'publicityKind', 'replaces'])
          .where('id', '=', at.replaces)
          .where('examId', '=', list.examId)
          .executeTakeFirst()
      : undefined
    if (!before) throw missing('replaces', '请选择被更正的公示')
    at = before
  }
  if (at.publicityKind === PublicityKind.correction) throw missing('replaces', '请选择被更正的公示')
  return { examId: at.examId, itemId: at.itemId, kind: at.publicityKind as OwnKind }
}

const missing = (field: string, msg: string) => refuse('input.invalid', { 说明: msg }, [{ field, msg }])

interface Words {
  unit: (key: string | null) => string
  word: (code: 'education' | 'degree' | 'sex', key: unknown) => string
  post: (code: string) => string
}

type Position = Awaited<ReturnType<typeof positionsOf>>[number]

async function wordsOf(db: Live, positions: readonly Position[]): Promise<Words> {
  const dicts = await loadDicts(db, ['recruit_unit', 'education', 'degree', 'sex'])
  const byCode = new Map(positions.map(one => [one.code, one]))
  return {
    unit: key => optionText(dicts.recruit_unit, key),
    word: (code, key) => optionText(dicts[code], key),
    post: code => byCode.get(code)?.postName ?? '',
  }
}

const applicantsOf = (db: Live, examId: string) =>
  db
    .selectFrom('signup')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'signup.examId')
    .select(['signup.id', 'signup.signNo', 'signup.name', 'signup.sex', 'signup.birthday'])
    .select(['signup.education', 'signup.degree', 'signup.signStatus'])
    .select(sql<string | null>`signup.content->>'major'`.as('major'))
    .select(eb => eb.fn.coalesce('signup.finalCode', 'signup.code').as('code'))
    .select(eb => eb.fn.coalesce('signup.finalUnit', 'signup.unit').as('unit'))
    .select(eb =>
      eb
        .and([
          eb('signup.examine', '=', ExamineStatus.approved),
          eb.or([eb('e.examineMode', '=', ExamineMode.single), eb('signup.reviewStatus', '=', ReviewStatus.approved)]),
        ])
        .as('isPassed'),
    )
    .where('signup.examId', '=', examId)
    .where('signup.signStatus', '=', SignStatus.submitted)
    .orderBy('signup.signNo')
    .execute()

type Applicant = Awaited<ReturnType<typeof applicantsOf>>[number]

/** Everything that a list may say of a person; which of it the list says is chosen afterwards. */
function personCells(one: Applicant, kind: OwnKind, { unit, word, post }: Words): Line['cells'] {
  return {
    signNo: one.signNo ?? '',
    name: showsFullNames(kind) ? one.name : maskName(one.name),
    sex: word('sex', one.sex),
    birthMonth: String(one.birthday ?? '').slice(0, 7),
    education: word('education', one.education),
    degree: word('degree', one.degree),
    major: one.major ?? '',
    unit: unit(one.unit),
    postName: post(one.code),
    code: one.code,
  }
}

const byCodeThenRank = (a: Line, b: Line): number => {
  const [one, other] = [a.cells.code ?? '', b.cells.code ?? '']
  if (one !== other) return one < other ? -1 : 1
  return Number(a.cells.rankNo || Number.MAX_SAFE_INTEGER) - Number(b.cells.rankNo || Number.MAX_SAFE_INTEGER)
}

/** The results of a stage, or of all whose results are out. @throws results.notReleased */
async function releasedMarks(db: Live, examId: string, itemId: string | null): Promise<readonly MarkLine[]> {
  const stages = (await stagesOf(db, examId)).filter(one => one.resultRelease === ReleaseStatus.released)
  const asked = itemId ? stages.filter(one => one.id === itemId) : stages
  if (asked.length === 0) throw refuse('results.notReleased')
  return marksOf(
    db,
    asked.map(one => one.id),
  )
}

const markCells = (mark: MarkLine): Line['cells'] => ({
  ticketNo: mark.ticketNo,
  score: String(resultWord({ resultFlag: mark.resultFlag, score: shortDecimal(mark.score) }) ?? ''),
  totalScore: shortDecimal(mark.totalScore) ?? '',
  rankNo: mark.rankNo === null ? '' : String(mark.rankNo),
})

/** People of one stage, as their results choose them. */
async function stageLines(db: Live, source: Source, words: Words, isOn: (mark: MarkLine) => boolean): Promise<Line[]> {
  const [marks, applicants] = await Promise.all([
    releasedMarks(db, source.examId, source.itemId),
    applicantsOf(db, source.examId),
  ])
  const people = new Map(applicants.map(one => [one.id, one]))
  return marks
    .filter(isOn)
    .flatMap((mark): Line[] => {
      const one = people.get(mark.signupId)
      if (!one) return []
      const outcome = source.kind === PublicityKind.examination ? { outcome: '合格' } : {}
      const cells = { ...personCells(one, source.kind, words), ...markCells(mark), ...outcome }
      const remark = source.kind === PublicityKind.shortlist && mark.promotionId ? { remark: '递补' } : {}
      return [{ key: mark.signupId, signupId: mark.signupId, cells, ...remark }]
    })
    .sort(byCodeThenRank)
}

/** Who is to be hired: of each position the best by total, as many as it has places, who passed what was asked of them besides. */
async function hiringLines(db: Live, source: Source, words: Words): Promise<Line[]> {
  const { examId } = source
  const [{ positions, stages }, applicants] = await Promise.all([
    finalList(db, { id: examId }),
    applicantsOf(db, examId),
  ])
  const people = new Map(applicants.map(one => [one.id, one]))
  const checks = stages.filter(one => bodyChecks.includes(one.itemType) && one.resultRelease === ReleaseStatus.released)
  if (stages.every(one => one.resultRelease !== ReleaseStatus.released)) throw refuse('results.notReleased')
  return positions
    .flatMap(position => {
      const fit = position.rows.filter(
        row =>
          row.runs &&
          row.rankNo !== null &&
          checks.every(check => row.results.find(one => one.itemId === check.itemId)?.isPass === 1),
      )
      return fit.slice(0, position.curPlanNum).flatMap((row): Line[] => {
        const one = people.get(row.signupId)
        if (!one) return []
        const cells = {
          ...personCells(one, source.kind, words),
          ticketNo: row.results.find(({ ticketNo }) => ticketNo)?.ticketNo ?? '',
          totalScore: row.totalScore ?? '',
          rankNo: String(row.rankNo ?? ''),
        }
        return [{ key: row.signupId, signupId: row.signupId, cells }]
      })
    })
    .sort(byCodeThenRank)
}

const positionCells = ({ code, unit, postName, planNum }: Position, words: Words): Line['cells'] => ({
  unit: words.unit(unit),
  postName,
  code,
  planNum: String(planNum),
})

/** Positions that were cut or cancelled. */
async function reductionLines(db: Live, { examId }: Source, positions: readonly Position[], words: Words) {
  const decided = await db
    .selectFrom('postreduction')
    .select(['code', 'beforeNum', 'effectNum', 'afterNum', 'decision'])
    .where('examId', '=', examId)
    .where('confirmUser', 'is not', null)
    .where('decision', 'in', [ReduceDecision.reduce, ReduceDecision.cancel])
    .execute()
  const byCode = new Map(decided.map(one => [one.code, one]))
  return positions.flatMap((position): Line[] => {
    const one = byCode.get(position.code)
    if (!one) return []
    const cells = {
      ...positionCells(position, words),
      planNum: String(one.beforeNum),
      effectNum: String(one.effectNum),
      afterNum: String(one.afterNum),
      decision: reduceDecision.entries[one.decision],
    }
    return [{ key: position.code, signupId: null, cells }]
  })
}

/** Positions with how many have paid or need not. */
async function paymentLines(db: Live, { examId }: Source, positions: readonly Position[], words: Words) {
  const counted = await db
    .selectFrom('payrecord as r')
    .innerJoin('signup as s', 's.id', 'r.signupId')
    .select(eb => eb.fn.coalesce('s.finalCode', 's.code').as('code'))
    .select(eb => eb.fn.count<string>('r.signupId').distinct().as('n'))
    .where('r.examId', '=', examId)
    .where('s.signStatus', '=', SignStatus.submitted)
    .where('r.payState', 'in', [PayState.paid, PayState.exempt])
    .groupBy(eb => eb.fn.coalesce('s.finalCode', 's.code'))
    .execute()
  const byCode = new Map(counted.map(one => [one.code, one.n]))
  return positions.map((position): Line => {
    const cells = { ...positionCells(position, words), paidNum: byCode.get(position.code) ?? '0' }
    return { key: position.code, signupId: null, cells }
  })
}

async function allLines(db: Live, source: Source): Promise<Line[]> {
  const positions = await positionsOf(db, source.examId)
  const words = await wordsOf(db, positions)
  switch (source.kind) {
    case PublicityKind.qualification: {
      const passed = (await applicantsOf(db, source.examId)).filter(one => one.isPassed)
      return passed.map(one => ({ key: one.id, signupId: one.id, cells: personCells(one, source.kind, words) }))
    }
    case PublicityKind.reduction:
      return reductionLines(db, source, positions, words)
    case PublicityKind.payment:
      return paymentLines(db, source, positions, words)
    case PublicityKind.scores:
      return stageLines(db, source, words, () => true)
    case PublicityKind.shortlist:
      return stageLines(db, source, words, mark => mark.runs && mark.isNext === 1)
    case PublicityKind.examination:
      return stageLines(db, source, words, mark => mark.runs && mark.isPass === 1)
    case PublicityKind.hiring:
      return hiringLines(db, source, words)
  }
}

/**
 * The lines of a list as the data say them now. They hold what lists of the kind may say and nothing more: no part of an ID number, a
 * phone, an address or a day of birth is kept with them.
 * @param columns those that the list has
 * @throws results.notReleased while what it is made of is not out
 */
export async function linesOf(db: Live, list: ListOf, columns: readonly string[]): Promise<Line[]> {
  const source = await sourceOf(db, list)
  const known = knownColumns(source.kind)
  const isKept = (name: string): boolean =>
    (known as readonly string[]).includes(name) && (columns.includes(name) || isKeyCell(source.kind, name))
  const lines = await allLines(db, source)
  return lines.map(({ cells, ...line }) => ({
    ...line,
    cells: Object.fromEntries(Object.entries(cells).filter(([name]) => isKept(name))),
  }))
}

/** By these people and staff find a line, also where the list does not show them. */
const isKeyCell = (kind: OwnKind, name: string): boolean =>
  name === 'code' || (isAboutPeople(kind) && (name === 'signNo' || name === 'ticketNo'))
