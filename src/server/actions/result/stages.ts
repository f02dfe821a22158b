import type { Kysely } from 'kysely'
import { shortDecimal } from '../../domain/result-score.ts'
import type { Database } from '../../plugins/database.ts'
import { stageOf } from '../ticket/effective.ts'
import { stagesOf } from './marks.ts'
import { changedSinceRecall } from './release.ts'
import { sittersOf } from './sitters.ts'

const countResults = (db: Kysely<Database>, examId: string) =>
  db
    .selectFrom('result')
    .select('itemId')
    .select(eb => [
      eb.fn.countAll<string>().as('results'),
      eb.fn.countAll<string>().filterWhere('resultFlag', '=', 2).as('absent'),
      eb.fn.countAll<string>().filterWhere('resultFlag', '=', 3).as('cheated'),
      eb.fn.countAll<string>().filterWhere('isNext', '=', 1).as('next'),
    ])
    .where('examId', '=', examId)
    .where('isDeleted', '=', 0)
    .groupBy('itemId')
    .execute()

/** The newest act on each stage of an exam, and the release that waits for its time. */
const lastMoves = (db: Kysely<Database>, examId: string) =>
  db
    .selectFrom('result_move as move')
    .innerJoin('examinationitem as item', 'item.id', 'move.itemId')
    .leftJoin('user', 'user.id', 'move.userId')
    .distinctOn('move.itemId')
    .select(['move.itemId', 'move.kind', 'move.reason', 'move.num', 'move.time', 'move.dueTime', 'move.problem'])
    .select('user.realName as userName')
    .where('item.examId', '=', examId)
    .orderBy('move.itemId')
    .orderBy('move.time', 'desc')
    .execute()

async function sitterCount(db: Kysely<Database>, itemId: string): Promise<number> {
  const stage = await stageOf(db, itemId)
  return stage ? (await sittersOf(db, stage)).length : 0
}

/** The stages of an exam with how far their results are. */
export async function resultStages(db: Kysely<Database>, examId: string, userId: string) {
  const stages = await stagesOf(db, examId)
  const [counts, moves, people, changed] = await Promise.all([
    countResults(db, examId),
    lastMoves(db, examId),
    Promise.all(stages.map(stage => sitterCount(db, stage.id))),
    Promise.all(stages.map(stage => changedSinceRecall(db, stage, userId))),
  ])
  return stages.map(({ id, itemName, itemType, fullScore, passScore, resultRelease, needTicket }, i) => {
    const found = counts.find(one => one.itemId === id)
    return {
      ...{ itemId: id, itemName, itemType, fullScore: shortDecimal(fullScore), passScore: shortDecimal(passScore) },
      ...{ resultRelease, needTicket },
      ...{ people: people[i] ?? 0, results: Number(found?.results ?? 0), absent: Number(found?.absent ?? 0) },
      ...{ cheated: Number(found?.cheated ?? 0), next: Number(found?.next ?? 0) },
      /** Whoever changed a score of a recalled stage does not release it. */
      changedByMe: changed[i] ?? false,
      last: moves.find(one => one.itemId === id) ?? null,
    }
  })
}
