import type { SheetRow } from '#engine'
import { resultSheet } from '#resources/results/result-sheet'
import { AttendStatus, ReleaseStatus, ResultChange, ResultFlag } from '#schemas/dictionaries'
import { sheetRules } from '../../../crud/sheet-rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { factsOf, type Stage, stageOf } from '../../tickets/server/stage.ts'
import { resultWindows } from '../rules/act-windows.ts'
import { keptMark, type Mark, markProblems } from '../rules/result-score.ts'
import { logChanges } from './change-log.ts'
import { type Examinee, examineesOf } from './examinees.ts'

const knownOf = (db: Live, itemId: string) =>
  db
    .selectFrom('result')
    .select(['signupId', 'ticketNo', 'score', 'addScore', 'resultFlag', 'remark'])
    .where('itemId', '=', itemId)
    .execute()

/** The flag that what was noted in the room stands for. */
const flagOf = (attend: number) =>
  attend === AttendStatus.absent ? ResultFlag.absent : attend === AttendStatus.misconduct ? ResultFlag.misconduct : null

/** Everybody who is to have a result, with what is known already. */
async function linesOf(db: Live, itemId: string) {
  const stage = await stageOf(db, itemId)
  if (!stage) throw refuse('row.notFound')
  const known = new Map((await knownOf(db, itemId)).map(one => [one.signupId, one]))
  const examinees = await examineesOf(db, stage)
  return examinees.map(({ signupId, number, name, code, attend }) => {
    const { score, addScore, remark, resultFlag = flagOf(attend) } = known.get(signupId) ?? {}
    return { ticketNo: number, name, code, score, addScore, resultFlag, remark }
  })
}

type Row = SheetRow<typeof resultSheet>
type Found = Examinee & { ticketNo: string }

const markOf = ({ score, addScore, resultFlag }: Row): Mark => ({ score, addScore, resultFlag })

function rowOf({ values, found }: { values: Row; found: Found }, stage: Stage, taskId: string) {
  const { score, addScore, resultFlag } = keptMark(markOf(values))
  return {
    examId: stage.examId,
    itemId: stage.id,
    signupId: found.signupId,
    ticketNo: found.ticketNo,
    name: found.name,
    unit: found.unit,
    code: found.code,
    idCard: found.idCard,
    idCardHash: found.idCardHash,
    idCardMask: found.idCardMask,
    score,
    addScore,
    resultFlag: resultFlag as 1,
    remark: values.remark,
    importTaskId: taskId,
  }
}

/** Writes results, new ones and those that are there already. */
async function save(trx: Live, rows: readonly ReturnType<typeof rowOf>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000)
    await trx
      .insertInto('result')
      .values(rows.slice(at, at + 1000))
      .onConflict(on =>
        on.columns(['itemId', 'signupId']).doUpdateSet(eb => ({
          ticketNo: eb.ref('excluded.ticketNo'),
          unit: eb.ref('excluded.unit'),
          code: eb.ref('excluded.code'),
          score: eb.ref('excluded.score'),
          addScore: eb.ref('excluded.addScore'),
          resultFlag: eb.ref('excluded.resultFlag'),
          remark: eb.ref('excluded.remark'),
          importTaskId: eb.ref('excluded.importTaskId'),
          version: eb('result.version', '+', 1),
        })),
      )
      .execute()
}

/**
 * Results of a stage from a workbook; who has one already gets the new one. The stage is locked: an import never meets a
 * release or another import. Refuses results.released while the results are out.
 */
export const resultSheetRules = sheetRules(resultSheet, {
  business: 'result',
  prefill: ({ app, person, db, fixed }) => linesOf(liveAs(app, person, db), fixed.itemId),
  begin: async ({ app, person, trx, fixed, now }) => {
    const stage = await lockStage(liveAs(app, person, trx), fixed.itemId)
    if (stage.resultRelease === ReleaseStatus.released) throw refuse('results.released')
    checkTimely(resultWindows.enter, factsOf(stage), now)
    return stage
  },
  find: async ({ app, person, db, held }): Promise<Found[]> =>
    (await examineesOf(liveAs(app, person, db), held)).map(one => ({ ...one, ticketNo: one.number })),
  absent: ({ ticketNo }) => `本项目没有准考证号为「${ticketNo}」的有效考生`,
  check: (row, _found, { held }) => markProblems(markOf(row), held.fullScore),
  save: async (rows, { app, trx, held: stage, person, taskId }) => {
    const db = liveAs(app, person, trx)
    const known = new Map((await knownOf(db, stage.id)).map(one => [one.signupId, one]))
    await save(
      db,
      rows.map(one => rowOf(one, stage, taskId)),
    )
    const changes = rows.map(({ values, found }) => ({
      signupId: found.signupId,
      ticketNo: found.ticketNo,
      before: known.get(found.signupId) ?? null,
      after: keptMark(markOf(values)),
    }))
    await logChanges(db, stage, ResultChange.imported, changes)
  },
})
