import { sql } from 'kysely'
import { ExamStatus } from '#schemas/dictionaries'
import { Examuser } from '#schemas/exams/examuser'
import { keepHistory } from '../../../../crud/history.ts'
import { type LiveTrx, removeRows } from '../../../../platform/database/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { type Appointment, type Change, isLive } from '../../rules/exam-staff.ts'
import type { Actor } from '../release.ts'
import type { Line } from './lines.ts'
import { tellAppointed } from './told.ts'

/** Who appoints, and to which exam. */
export interface Appointing extends Actor {
  examId: string
}

/**
 * Locks an exam whose staff changes until the end of the transaction.
 * @param alone true for changes that stand on what was read: nobody else appoints to it meanwhile, neither in the
 * matrix nor one by one
 * @throws exams.notFound, exams.archived when it is archived
 */
export async function lockStaff(trx: LiveTrx, examId: string, alone: boolean): Promise<void> {
  const row = trx.selectFrom('examination').select('examStatus').where('id', '=', examId)
  const exam = await (alone ? row.forNoKeyUpdate() : row.forShare()).executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  if (exam.examStatus === ExamStatus.archived) throw refuse('exams.archived')
}

/** Appointments that can still be changed here: in use and not over. The others stay as a record. */
export const openLines = (lines: readonly Line[], examRole: number, now: Date): Line[] =>
  lines.filter(line => line.examRole === examRole && line.enable === 1 && isLive(line, now))

/** Writes changed appointments of a role, each kind of change in one statement. @returns how many rows were written */
export async function writeChange(
  trx: LiveTrx,
  { examId, userId, now }: Appointing,
  examRole: number,
  { added, changed, removed }: Change,
  names: ReadonlyMap<string, string>,
): Promise<number> {
  const read = (ids: readonly string[]) =>
    ids.length === 0 ? [] : trx.selectFrom('examuser').selectAll().where('id', 'in', ids).execute()
  const changedIds = changed.flatMap(one => one.id ?? [])
  const [gone, before] = [await read(removed), await read(changedIds)]
  if (removed.length) await removeRows(trx, 'examuser').where('id', 'in', removed).execute()
  if (changed.length) await rewrite(trx, changed, { updateUser: userId, updateTime: now })
  const after = new Map((await read(changedIds)).map(row => [row.id, row]))
  const deed = { userId, now }
  await keepHistory(
    trx,
    Examuser,
    gone.map(row => [row, null] as const),
    { act: 'remove', ...deed },
  )
  await keepHistory(
    trx,
    Examuser,
    before.map(row => [row, after.get(row.id) ?? row] as const),
    { act: 'edit', ...deed },
  )
  const rows = added.map(one => ({
    examId,
    examRole: examRole as 1,
    enable: 1 as const,
    userId: one.userId,
    userName: (names.get(one.userId) ?? '').slice(0, 20),
    units: one.units,
    codes: one.codes,
    startTime: one.startTime,
    endTime: one.endTime,
  }))
  if (rows.length) {
    const appointed = await trx.insertInto('examuser').values(rows).returningAll().execute()
    await keepHistory(
      trx,
      Examuser,
      appointed.map(row => [null, row] as const),
      { act: 'add', ...deed },
    )
    await tellAppointed(trx, appointed)
  }
  return added.length + changed.length + removed.length
}

const rewrite = (
  trx: LiveTrx,
  rows: readonly Appointment[],
  { updateUser, updateTime }: { updateUser: string; updateTime: Date },
) =>
  sql`UPDATE examuser SET units = v.units, codes = v.codes, version = examuser.version + 1, "updateUser" = ${updateUser},
      "updateTime" = ${updateTime}
    FROM unnest(${rows.map(one => one.id)}::bigint[], ${rows.map(one => one.units)}::text[],
      ${rows.map(one => one.codes)}::text[]) AS v(id, units, codes)
    WHERE examuser.id = v.id`.execute(trx)
