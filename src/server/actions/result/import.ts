import type { Kysely, Transaction } from 'kysely'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import { lockStage } from '../ticket/allot.ts'
import type { Stage } from '../ticket/effective.ts'
import { logChanges } from './change-log.ts'
import { refuseRepeated, type TaskPlace, writeTask } from './import-task.ts'
import { errorSheet, type ReadResult, type RowProblem, readResults } from './sheet.ts'
import { sittersOf } from './sitters.ts'

/** What came of an import. `errFile` is the id of the sheet of the wrong rows. */
export interface Imported {
  taskId: string
  okNum: number
  errNum: number
  rows: RowProblem[]
  errFile: string | null
}

/** A filled-in sheet as it arrived. Mode 1 takes all rows or none, 2 the good ones. */
export interface Sheet {
  file: Buffer
  fileName: string
  mode: 1 | 2
}

const knownOf = (trx: Kysely<Database>, itemId: string) =>
  trx
    .selectFrom('result')
    .select(['signupId', 'ticketNo', 'score', 'addScore', 'resultFlag'])
    .where('itemId', '=', itemId)
    .where('isDeleted', '=', 0)
    .execute()

function rowOf({ sitter, mark, remark }: ReadResult, stage: Stage, { mover }: TaskPlace, importTaskId: string) {
  return {
    ...{ tenantId: stage.tenantId, examId: stage.examId, itemId: stage.id, signupId: sitter.signupId },
    ...{ ticketNo: sitter.number, name: sitter.name, unit: sitter.unit, code: sitter.code },
    ...{ idCard: sitter.idCard, idCardHash: sitter.idCardHash, idCardMask: sitter.idCardMask },
    ...{ score: mark.score, addScore: mark.addScore, resultFlag: mark.resultFlag as 1 },
    ...{ remark, importTaskId },
    ...{ createUser: mover.userId, createTime: mover.now, updateUser: mover.userId, updateTime: mover.now },
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
            ...{ ticketNo: eb.ref('excluded.ticketNo'), unit: eb.ref('excluded.unit'), code: eb.ref('excluded.code') },
            ...{ score: eb.ref('excluded.score'), addScore: eb.ref('excluded.addScore') },
            ...{ resultFlag: eb.ref('excluded.resultFlag'), remark: eb.ref('excluded.remark') },
            importTaskId: eb.ref('excluded.importTaskId'),
            ...{ updateUser: eb.ref('excluded.updateUser'), updateTime: eb.ref('excluded.updateTime') },
            version: eb('result.version', '+', 1),
          })),
      )
      .execute()
}

/** The whole import inside one transaction, with the stage locked: it never meets a release or another import. */
async function take(trx: Transaction<Database>, place: TaskPlace, itemId: string, sheet: Sheet): Promise<Imported> {
  const stage = await lockStage(trx, itemId)
  if (stage.resultRelease === 1) throw refuse(26002)
  await refuseRepeated(trx, place, sheet.file)
  const read = await readResults(sheet.file, await sittersOf(trx, stage), stage)
  const errNum = new Set(read.problems.map(one => one.row)).size
  const good = sheet.mode === 1 && errNum ? [] : read.good
  const errSheet = errNum ? await errorSheet(read) : null
  const outcome = { ...sheet, totalNum: read.total, okNum: good.length, errNum, errSheet }
  const { taskId, errFile } = await writeTask(trx, place, outcome)
  const known = new Map((await knownOf(trx, itemId)).map(one => [one.signupId, one]))
  await save(
    trx,
    good.map(one => rowOf(one, stage, place, taskId)),
  )
  const changes = good.map(({ sitter, mark }) => ({
    ...{ signupId: sitter.signupId, ticketNo: sitter.number, before: known.get(sitter.signupId) ?? null, after: mark },
  }))
  await logChanges(trx, stage, 3, changes, place.mover)
  return { taskId, okNum: good.length, errNum, rows: read.problems, errFile }
}

/**
 * Takes the results of a stage from a workbook; who has one already gets the new one. Every import leaves a task with
 * the file, and with a sheet of the wrong rows.
 * @throws 26002 while the results are out, 28006 in mode 1 when a row is wrong (`data` is what came of it), 29006 for a
 * file that was taken in within the last ten minutes, 28005 for another sheet
 */
export async function importResults(
  db: Kysely<Database>,
  place: TaskPlace,
  itemId: string,
  sheet: Sheet,
): Promise<Imported> {
  const done = await db.transaction().execute(trx => take(trx, place, itemId, sheet))
  if (sheet.mode === 1 && done.errNum) throw refuse(28006, { n: done.errNum }, done)
  return done
}
