import { ExamStatus, PostStatus, ReduceBase, ReduceDecision, TicketStatus } from '#schemas/dictionaries'
import type { Caller, Db, ExamRow } from '../../../platform/access/server/caller.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { checkTimely, untimely } from '../../exams/rules/act-windows.ts'
import type { PlanLine } from '../contract.ts'
import { reductionWindows } from '../rules/act-windows.ts'
import { proposalOf } from '../rules/reduction.ts'
import { countByPost, effectOf, type PostCount, pendingOf, proposalFor } from './count-by-post.ts'

/** Most names listed of those whose review is not finished. */
const mostPending = 200

/** The rows of a plan as they stand. */
export const rowsOf = (db: Db, examId: string) =>
  db.selectFrom('postreduction').selectAll().where('examId', '=', examId).execute()

/** A row of a plan. */
export type PlanRow = Awaited<ReturnType<typeof rowsOf>>[number]

/** The rows of a plan, with the exam locked: of two who compute, decide or confirm one waits. */
export async function lockRows(trx: Db, examId: string): Promise<PlanRow[]> {
  await trx.selectFrom('examination').select('id').where('id', '=', examId).forNoKeyUpdate().execute()
  return rowsOf(trx, examId)
}

/** {@link lockRows} of a plan that can still change. @throws reduction.confirmed confirmed */
export async function lockPlan(trx: Db, examId: string): Promise<PlanRow[]> {
  const rows = await lockRows(trx, examId)
  if (rows.some(row => row.confirmTime)) throw refuse('reduction.confirmed')
  return rows
}

function lineOf(exam: ExamRow, one: PostCount, row: PlanRow | undefined): PlanLine {
  const { unit, type, code, postName, passNum, paidNum } = one
  const frozen = row && { planNum: row.beforeNum, effectNum: row.effectNum, ratio: row.ratio }
  const proposal = frozen ? proposalOf(frozen) : proposalFor(exam.reduceBase, one)
  const otherwise = proposalFor(exam.reduceBase === ReduceBase.paid ? 1 : 2, one)
  return {
    unit,
    type,
    code,
    postName,
    passNum,
    paidNum,
    proposal,
    otherwise,
    beforeNum: row?.beforeNum ?? one.planNum,
    ratio: row?.ratio ?? one.ratio,
    effectNum: row?.effectNum ?? effectOf(exam.reduceBase, one),
    decision: row?.decision ?? ReduceDecision.pending,
    afterNum: row?.afterNum ?? proposal.afterNum,
    basis: row?.basis ?? '',
    file: row?.file ?? '',
  }
}

/** Positions that have been cancelled by the plan stand in it, but are counted no more. */
async function cancelled(db: Db, examId: string, rows: readonly PlanRow[]): Promise<PostCount[]> {
  const gone = rows.filter(row => row.confirmTime && row.decision === ReduceDecision.cancel)
  if (gone.length === 0) return []
  const names = await db
    .selectFrom('examitems')
    .select(['id', 'code', 'postName', 'type'])
    .where('examId', '=', examId)
    .where('postStatus', '=', PostStatus.cancelled)
    .execute()
  return gone.flatMap(({ code, unit, beforeNum, ratio }) => {
    const position = names.find(one => one.code === code)
    if (!position) return []
    const { id: positionId, type, postName } = position
    return [{ positionId, unit, type, code, postName, planNum: beforeNum, ratio, passNum: 0, paidNum: 0 }]
  })
}

/** The plan of an exam line by line; before it has been computed what it would be now. */
async function planLines(db: Db, exam: ExamRow): Promise<PlanLine[]> {
  const [tallies, rows] = await Promise.all([countByPost(db, exam), rowsOf(db, exam.id)])
  const all = [...tallies, ...(await cancelled(db, exam.id, rows))]
  const lines = all.map(one =>
    lineOf(
      exam,
      one,
      rows.find(row => row.code === one.code),
    ),
  )
  return lines.toSorted((a, b) => a.unit.localeCompare(b.unit) || a.code.localeCompare(b.code))
}

/** Whether somebody holds a ticket of an exam: then nobody can be moved any more. */
async function hasTickets(db: Db, examId: string): Promise<boolean> {
  const ticket = await db
    .selectFrom('examinationticket')
    .select('id')
    .where('examId', '=', examId)
    .where('ticketStatus', '<>', TicketStatus.voided)
    .executeTakeFirst()
  return ticket !== undefined
}

/**
 * What stands against computing, deciding and confirming a plan, looked at when each of them begins; null when nothing
 * does. It is exams.archived or exams.notReleased for an exam that does not run, too early by {@link untimely},
 * reduction.alreadySeated once there are tickets.
 */
async function planRefusal(db: Db, exam: ExamRow, now: Date): Promise<Refusal | null> {
  if (exam.examStatus === ExamStatus.archived) return refuse('exams.archived')
  if (exam.examStatus !== ExamStatus.released) return refuse('exams.notReleased')
  return (
    untimely(reductionWindows.plan, { exam }, now) ??
    ((await hasTickets(db, exam.id)) ? refuse('reduction.alreadySeated') : null)
  )
}

/** @throws what {@link planRefusal} finds */
export async function checkPlan(db: Db, exam: ExamRow, now: Date): Promise<void> {
  const refusal = await planRefusal(db, exam, now)
  if (refusal) throw refusal
}

/** People who lose their position need a time in which they can choose another. @throws exams.timesInvalid */
export function checkChoosing(exam: ExamRow, now: Date): void {
  if (exam.allowAdjust !== 1) return
  if (!exam.reduceStartTime || !exam.reduceEndTime)
    throw refuse('exams.timesInvalid', { 说明: '请先设置改报开始和结束时间' })
  checkTimely(reductionWindows.confirm, { exam }, now)
}

/** How many people lose their position by a plan, as it is decided, or proposed where nothing is. */
const affectedBy = (lines: readonly PlanLine[]): number =>
  lines
    .filter(line => (line.decision || line.proposal.decision) === ReduceDecision.cancel)
    .reduce((sum, line) => sum + line.passNum, 0)

/** Exams of a list, those whose reduction can be worked on first, with what stands against the others, in words. */
export async function reducible(
  { db, now }: Pick<Caller, 'db' | 'now'>,
  exams: readonly ExamRow[],
  inWords: (refusal: Refusal) => string,
) {
  const lines = await Promise.all(
    exams.map(async exam => {
      const refusal = await planRefusal(db, exam, now)
      return { examId: exam.id, examName: exam.examName, block: refusal ? inWords(refusal) : '' }
    }),
  )
  return lines.toSorted((a, b) => Number(a.block !== '') - Number(b.block !== ''))
}

/**
 * Everything the page of an exam's reduction shows.
 * @param inWords the language of the page
 */
export async function reductionOf(
  { db, now, person }: Caller,
  exam: ExamRow,
  inWords: (refusal: Refusal) => string = one => one.message,
) {
  const [lines, rows, pending, refusal] = await Promise.all([
    planLines(db, exam),
    rowsOf(db, exam.id),
    pendingOf(db, exam, mostPending),
    planRefusal(db, exam, now),
  ])
  const confirmed = rows.find(row => row.confirmTime)
  const names = await db
    .selectFrom('postreductionname')
    .select(['nameState', eb => eb.fn.countAll<string>().as('n')])
    .where('examId', '=', exam.id)
    .groupBy('nameState')
    .execute()
  return {
    exam: {
      examId: exam.id,
      examName: exam.examName,
      examStatus: exam.examStatus,
      reduceBase: exam.reduceBase,
      allowAdjust: exam.allowAdjust,
      reduceStartTime: exam.reduceStartTime,
      reduceEndTime: exam.reduceEndTime,
      signEndTime: exam.signEndTime,
      payEndTime: exam.payEndTime,
    },
    computed: rows.length > 0,
    confirmTime: confirmed?.confirmTime ?? null,
    /** Whoever decided does not confirm. */
    decidedByMe: rows.some(row => row.updateUser === person.userId),
    /** Why nothing can be done with the plan now, in words. */
    block: refusal ? inWords(refusal) : '',
    pending,
    positions: lines,
    affected: affectedBy(lines),
    names: names.map(one => ({ nameState: one.nameState, num: Number(one.n) })),
  }
}

/** What computing, deciding and confirming answer. */
export async function planAnswer(db: Db, exam: ExamRow) {
  const lines = await planLines(db, exam)
  const positions = lines.map(({ unit, code, beforeNum, effectNum, ratio, afterNum, decision }) => ({
    unit,
    code,
    beforeNum,
    effectNum,
    ratio,
    afterNum,
    decision,
  }))
  return { positions, affected: affectedBy(lines) }
}

/** The people whose review is not finished, as a refusal says it. */
export async function checkReviewed(db: Db, exam: ExamRow, reason: string): Promise<number> {
  const { num, list } = await pendingOf(db, exam, mostPending)
  if (num > 0 && reason === '') throw refuse('reduction.candidatesUnfinished', { n: num }, list)
  return num
}
