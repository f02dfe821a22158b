import { ExamStatus, ResultFlag } from '#schemas/dictionaries'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import type { Refusal } from '../../../platform/http/server/refusal.ts'
import { isEarly, untimely } from '../../exams/rules/act-windows.ts'
import { stageOf } from '../../tickets/server/stage.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { shortDecimal } from '../rules/result-score.ts'
import { stagesOf } from './marks.ts'
import { changedSinceRecall, earlyAsked, missing } from './release.ts'
import type { MoveKind } from './tables.ts'

const countResults = (db: Live, examId: string) =>
  db
    .selectFrom('result')
    .select('itemId')
    .select(eb => [
      eb.fn.countAll<string>().as('results'),
      eb.fn.countAll<string>().filterWhere('resultFlag', '=', ResultFlag.absent).as('absent'),
      eb.fn.countAll<string>().filterWhere('resultFlag', '=', ResultFlag.misconduct).as('cheated'),
      eb.fn.countAll<string>().filterWhere('isNext', '=', 1).as('next'),
    ])
    .where('examId', '=', examId)
    .groupBy('itemId')
    .execute()

/** The newest act on each stage of an exam, and the release that waits for its time. */
const lastMoves = (db: Live, examId: string) =>
  db
    .selectFrom('result_move as move')
    .innerJoin(withRemoved('examinationitem as item'), 'item.id', 'move.itemId')
    .leftJoin(withRemoved('user'), 'user.id', 'move.userId')
    .distinctOn('move.itemId')
    .select(['move.itemId', 'move.kind', 'move.reason', 'move.num', 'move.time', 'move.dueTime', 'move.problem'])
    .select('user.realName as userName')
    .where('item.examId', '=', examId)
    .where('move.kind', 'not in', ['early', 'calloff'])
    .$narrowType<{ kind: Exclude<MoveKind, 'early' | 'calloff'> }>()
    .orderBy('move.itemId')
    .orderBy('move.time', 'desc')
    .execute()

/** How many people a stage has, and how many of them lack a result. */
async function sitters(db: Live, itemId: string): Promise<{ people: number; n: number }> {
  const stage = await stageOf(db, itemId)
  return stage ? missing(db, stage) : { people: 0, n: 0 }
}

const said = (refusal: Refusal | null, inWords: (refusal: Refusal) => string): string =>
  refusal ? inWords(refusal) : ''

/** Who reads, when, and in which language refusals are told. */
interface Reading {
  userId: string
  now: Date
  inWords: (refusal: Refusal) => string
}

/** The stages of an exam with how far their results are, and what is too early now. */
export async function resultStages(db: Live, examId: string, { userId, now, inWords }: Reading) {
  const stages = await stagesOf(db, examId)
  const ids = stages.map(stage => stage.id)
  const [counts, moves, early, people, changed] = await Promise.all([
    countResults(db, examId),
    lastMoves(db, examId),
    ids.length > 0 ? earlyAsked(db, ids) : [],
    Promise.all(stages.map(stage => sitters(db, stage.id))),
    Promise.all(stages.map(stage => changedSinceRecall(db, stage, userId))),
  ])
  return stages.map(({ id, itemName, itemType, fullScore, passScore, resultRelease, needTicket, ...time }, i) => {
    const { startTime, endTime } = time
    const facts = { exam: { examStatus: ExamStatus.released }, stage: { itemName, startTime, endTime } }
    const found = counts.find(one => one.itemId === id)
    return {
      itemId: id,
      itemName,
      itemType,
      fullScore: shortDecimal(fullScore),
      passScore: shortDecimal(passScore),
      resultRelease,
      needTicket,
      people: people[i]?.people ?? 0,
      missing: people[i]?.n ?? 0,
      results: Number(found?.results ?? 0),
      absent: Number(found?.absent ?? 0),
      cheated: Number(found?.cheated ?? 0),
      next: Number(found?.next ?? 0),
      /** Whoever changed a score of a recalled stage does not release it. */
      changedByMe: changed[i] ?? false,
      last: moves.find(one => one.itemId === id) ?? null,
      block: {
        enter: said(untimely(resultWindows.enter, facts, now), inWords),
        release: said(untimely(resultWindows.release, facts, now), inWords),
      },
      /** Until when a release is early, and who has asked for one. */
      earlyUntil: isEarly({ endTime }, now) ? endTime : null,
      early: early.find(one => one.itemId === id) ?? null,
    }
  })
}
