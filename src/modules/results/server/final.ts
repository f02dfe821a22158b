import { ConfirmStatus, ItemRange, ReleaseStatus, SeatStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import type { Actor } from '../../exams/server/release.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import type { Stage } from '../../tickets/server/stage.ts'
import { denseRanks } from '../rules/ranking.ts'
import { shortDecimal } from '../rules/result-score.ts'
import {
  type MarkLine,
  marksOf,
  positionsOf,
  rankedByTotal,
  type StageLine,
  sharesOf,
  stagesOf,
  totalsOf,
} from './marks.ts'
import { rankStage } from './rank.ts'
import { logRelease, syncFeesOfEntrants } from './release.ts'

function grouped<T>(rows: readonly T[], key: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>()
  for (const row of rows) {
    const group = groups.get(key(row))
    if (group) group.push(row)
    else groups.set(key(row), [row])
  }
  return groups
}

/** A stage's result of one person in the final list. */
const cellOf = (
  { itemId, ticketNo, score, addScore, resultFlag, rankNo, isPass, isNext, ...mark }: MarkLine,
  stages: readonly StageLine[],
) => ({
  itemId,
  ticketNo,
  score: shortDecimal(score),
  addScore: shortDecimal(addScore),
  resultFlag,
  rankNo,
  isPass,
  isNext,
  confirmStatus: mark.confirmStatus,
  isPromoted: isNext === 1 && mark.promotionId !== null,
  awaitsAnswer:
    isNext === 1 &&
    mark.confirmStatus === ConfirmStatus.unanswered &&
    (mark.promotionId !== null || stages.some(one => one.id === itemId && one.confirmEndTime !== null)),
})

/**
 * Totals and ranks of an exam from the results that are out: people by position, the best first. People out of the running
 * and people without a total have no rank and stand last.
 */
export async function finalList(db: Live, exam: { id: string }) {
  const [stages, positions, dicts] = await Promise.all([
    stagesOf(db, exam.id),
    positionsOf(db, exam.id),
    loadDicts(db, ['recruit_unit', 'post_type']),
  ])
  const out = stages.filter(one => one.resultRelease === ReleaseStatus.released)
  const marks = await marksOf(
    db,
    out.map(one => one.id),
  )
  const totals = totalsOf(stages, positions, marks)
  const running = new Set(marks.filter(one => one.runs).map(one => one.signupId))
  const ranks = denseRanks(rankedByTotal(totals, running))
  const lines = [...grouped(marks, one => one.signupId)].map(([signupId, own]) => {
    const { name, signNo, code, runs } = own[0]!
    return {
      signupId,
      name,
      signNo,
      code,
      runs: runs ? (1 as const) : (0 as const),
      totalScore: runs ? shortDecimal(totals.get(signupId)?.total ?? null) : null,
      rankNo: ranks.get(signupId) ?? null,
      results: own.map(mark => cellOf(mark, stages)),
    }
  })
  const byCode = grouped(lines, one => one.code)
  const order = (line: (typeof lines)[number]) => line.rankNo ?? Number.MAX_SAFE_INTEGER
  const best = (line: (typeof lines)[number]) => line.results[0]?.rankNo ?? Number.MAX_SAFE_INTEGER
  return {
    stages: stages.map(({ id, itemName, itemType, resultRelease }) => ({
      itemId: id,
      itemName,
      itemType,
      resultRelease,
    })),
    positions: positions.flatMap(position => {
      const rows = byCode.get(position.code)
      if (!rows) return []
      const { code, unit, type, postName, planNum, curPlanNum } = position
      return {
        code,
        unit,
        type,
        postName,
        planNum,
        curPlanNum,
        unitName: optionText(dicts.recruit_unit, unit),
        typeName: optionText(dicts.post_type, type),
        shares: sharesOf(stages, position).map(({ stage, weight }) => ({
          itemId: stage.id,
          weight: shortDecimal(weight),
        })),
        rows: rows.sort((a, b) => order(a) - order(b) || best(a) - best(b)),
      }
    }),
  }
}

/** Refuses to change a shortlist by which seats of a later stage are locked already. @throws tickets.seatsLocked */
export async function refuseSeated(trx: Live, stage: Stage): Promise<void> {
  const locked = await trx
    .selectFrom('examinationitem')
    .select('id')
    .where('examId', '=', stage.examId)
    .where('startTime', '>', stage.startTime)
    .where('candidateRule', '=', ItemRange.shortlisted)
    .where('seatStatus', '=', SeatStatus.locked)
    .executeTakeFirst()
  if (locked) throw refuse('tickets.seatsLocked')
}

/**
 * Decides again who of a published shortlist goes on: whoever was struck off or gave up is taken off it. The places that are free
 * then are filled by promotions.
 * @returns who goes on now, and how many ways on have changed
 * @throws results.notReleased while the results are not out, tickets.seatsLocked when seats of a later stage are locked
 * already, exams.archived
 */
export async function makeNext(db: Live, itemId: string, actor: Actor) {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.resultRelease !== ReleaseStatus.released) throw refuse('results.notReleased')
    await refuseSeated(trx, stage)
    const changed = await rankStage(trx, stage, 'listed')
    await syncFeesOfEntrants(trx, stage, changed, actor.now)
    const marks = await marksOf(trx, [itemId])
    const entrants = marks
      .filter(one => one.isNext === 1)
      .map(({ signupId, name, ticketNo, code, score, rankNo }) => ({
        signupId,
        name,
        ticketNo,
        code,
        score: shortDecimal(score),
        rankNo,
      }))
    await logRelease(trx, itemId, 'next', actor, { num: entrants.length })
    return { num: entrants.length, changed: changed.length, entrants }
  })
}
