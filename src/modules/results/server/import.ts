import type { Kysely, Transaction } from 'kysely'
import { ImportMode, ReleaseStatus, ResultChange } from '#schemas/dictionaries'
import { refuseRepeated, type Sheet, type Taking, writeTask } from '../../../crud/import-task.ts'
import type { Database } from '../../../platform/database/database.ts'
import { afterWork, refuse } from '../../../platform/http/server/refusal.ts'
import type { SheetRow } from '../../../platform/workbook/workbook-parse.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import { lockStage } from '../../tickets/server/allot.ts'
import { factsOf, type Stage } from '../../tickets/server/stage.ts'
import { logChanges } from './change-log.ts'
import { examineesOf } from './examinees.ts'
import { errorSheet, type ReadResult, type RowProblem, readLines, readResults } from './sheet.ts'

/** What came of an import. `errFile` is the id of the sheet of the wrong rows. */
export interface Imported {
  taskId: string
  okNum: number
  errNum: number
  rows: RowProblem[]
  errFile: string | null
}

const knownOf = (trx: Kysely<Database>, itemId: string) =>
  trx
    .selectFrom('result')
    .select(['signupId', 'ticketNo', 'score', 'addScore', 'resultFlag'])
    .where('itemId', '=', itemId)
    .where('isDeleted', '=', 0)
    .execute()

function rowOf({ sitter, mark, remark }: ReadResult, stage: Stage, { userId, now }: Taking, importTaskId: string) {
  return {
    tenantId: stage.tenantId,
    examId: stage.examId,
    itemId: stage.id,
    signupId: sitter.signupId,
    ticketNo: sitter.number,
    name: sitter.name,
    unit: sitter.unit,
    code: sitter.code,
    idCard: sitter.idCard,
    idCardHash: sitter.idCardHash,
    idCardMask: sitter.idCardMask,
    score: mark.score,
    addScore: mark.addScore,
    resultFlag: mark.resultFlag as 1,
    remark,
    importTaskId,
    createUser: userId,
    createTime: now,
    updateUser: userId,
    updateTime: now,
  }
}

/** Writes results, new ones and those that are there already. */
async function save(trx: Transaction<Database>, rows: readonly ReturnType<typeof rowOf>[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 1000)
    await trx
      .insertInto('result')
      .values(rows.slice(at, at + 1000))
      .onConflict(on =>
        on
          .columns(['tenantId', 'itemId', 'signupId'])
          .where('isDeleted', '=', 0)
          .doUpdateSet(eb => ({
            ticketNo: eb.ref('excluded.ticketNo'),
            unit: eb.ref('excluded.unit'),
            code: eb.ref('excluded.code'),
            score: eb.ref('excluded.score'),
            addScore: eb.ref('excluded.addScore'),
            resultFlag: eb.ref('excluded.resultFlag'),
            remark: eb.ref('excluded.remark'),
            importTaskId: eb.ref('excluded.importTaskId'),
            updateUser: eb.ref('excluded.updateUser'),
            updateTime: eb.ref('excluded.updateTime'),
            version: eb('result.version', '+', 1),
          })),
      )
      .execute()
}

/** The whole import inside one transaction, with the stage locked: it never meets a release or another import. */
async function take(
  trx: Transaction<Database>,
  taking: Taking,
  itemId: string,
  sheet: Sheet,
  lines: readonly SheetRow[],
): Promise<Imported> {
  const stage = await lockStage(trx, itemId)
  if (stage.resultRelease === ReleaseStatus.released) throw refuse('results.released')
  checkTimely('result.enter', factsOf(stage), taking.now)
  await refuseRepeated(trx, taking, sheet.file)
  const read = readResults(lines, await examineesOf(trx, stage), stage)
  const errNum = new Set(read.problems.map(one => one.row)).size
  const good = sheet.mode === ImportMode.allOrNothing && errNum ? [] : read.good
  const errSheet = errNum ? await errorSheet(read) : null
  const outcome = { totalNum: read.total, okNum: good.length, errNum, errSheet }
  const { taskId, errFile } = await writeTask(trx, taking, sheet, outcome)
  const known = new Map((await knownOf(trx, itemId)).map(one => [one.signupId, one]))
  await save(
    trx,
    good.map(one => rowOf(one, stage, taking, taskId)),
  )
  const changes = good.map(({ sitter, mark }) => ({
    signupId: sitter.signupId,
    ticketNo: sitter.number,
    before: known.get(sitter.signupId) ?? null,
    after: mark,
  }))
  await logChanges(trx, stage, ResultChange.imported, changes, taking)
  return { taskId, okNum: good.length, errNum, rows: read.problems, errFile }
}

/**
 * Takes the results of a stage from a workbook; who has one already gets the new one. Every import leaves a task with
 * the file, and with a sheet of the wrong rows.
 * @throws results.released while the results are out, workbook.rowsInvalid in mode 1 when a row is wrong (`data` is
 * what came of it), input.repeated for a file that was taken in within the last ten minutes, workbook.templateInvalid
 * for another sheet
 */
export async function importResults(
  db: Kysely<Database>,
  by: Omit<Taking, 'business' | 'place'>,
  itemId: string,
  sheet: Sheet,
): Promise<Imported> {
  const lines = await readLines(sheet.file)
  const done = await db
    .transaction()
    .execute(trx => take(trx, { ...by, business: 'result', place: itemId }, itemId, sheet, lines))
  if (sheet.mode === ImportMode.allOrNothing && done.errNum)
    throw afterWork(refuse('workbook.rowsInvalid', { n: done.errNum }, done))
  return done
}
