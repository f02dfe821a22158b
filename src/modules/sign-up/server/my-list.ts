import { EnableStatus, SignStatus } from '#schemas/dictionaries'
import type { Caller, Db, SignupRow } from '../../../platform/access/server/caller.ts'
import { page, pageOf } from '../../../platform/http/server/page.ts'
import type { Refusal } from '../../../platform/http/server/refusal.ts'
import { untimely } from '../../exams/rules/act-windows.ts'
import { phasesOf } from '../../exams/rules/exam-phase.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { withLists } from '../../exams/server/public-lists.ts'
import { signupWindows } from '../rules/act-windows.ts'
import { adjustRefusal } from '../rules/adjust.ts'
import type { ListedExam } from './exam-page.ts'
import { type HistoryLine, historyOf } from './history.ts'
import { lineOf, type StageRow } from './line.ts'
import { nextStep, type Step } from './next-step.ts'
import { type FactsReaders, summariesOf } from './sign-up-summary.ts'
import { ticketStateOf } from './ticket-state.ts'

async function examsOf(db: Db, rows: readonly SignupRow[]): Promise<Map<string, ListedExam>> {
  const ids = [...new Set(rows.map(row => row.examId))]
  if (ids.length === 0) return new Map()
  const exams = await db.selectFrom('examination').selectAll().where('id', 'in', ids).execute()
  return new Map((await withLists(db, exams)).map(exam => [exam.id, exam]))
}

/** The stages of exams that are held, in the order of their days. */
async function stagesOf(db: Db, ids: readonly string[]): Promise<StageRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('examinationitem')
    .select(['examId', 'itemName', 'startTime', 'endTime', 'needTicket'])
    .where('examId', 'in', ids)
    .where('itemStatus', '=', EnableStatus.enabled)
    .orderBy('startTime')
    .orderBy('id')
    .execute()
}

/** Names of the positions sign-ups stand at, by exam and code. */
export async function postNames(
  db: Db,
  rows: readonly Pick<SignupRow, 'examId' | 'code' | 'code2' | 'finalCode'>[],
): Promise<(examId: string, code: string) => string> {
  const ids = [...new Set(rows.map(row => row.examId))]
  const codes = [...new Set(rows.flatMap(row => [row.code, row.code2 ?? '', row.finalCode ?? '']).filter(Boolean))]
  const found =
    ids.length && codes.length
      ? await db
          .selectFrom('examitems')
          .select(['examId', 'code', 'postName'])
          .where('examId', 'in', ids)
          .where('code', 'in', codes)
          .execute()
      : []
  return (examId, code) => found.find(one => one.examId === examId && one.code === code)?.postName ?? ''
}

/** The position that counts now: another one than was applied for once somebody has moved. */
const inForce = (row: SignupRow) => ({
  unit: row.finalUnit || row.unit,
  type: row.finalType || row.type,
  code: row.finalCode || row.code,
})

const stepsOf = (lines: readonly HistoryLine[], id: string) =>
  lines
    .filter(line => line.signupId === id)
    .map(({ kind, label, result, remark, time }) => ({
      action: kind === 'sign' ? result : 10 + result,
      label,
      time,
      remark,
    }))

/** Whether nothing of a sign-up is to be expected any more: its exam is over, or it was given up or never handed in. */
function isOver(exam: ListedExam, { signStatus }: SignupRow, { nextStep: next }: Step, now: Date): boolean {
  if (next !== 'DONE') return false
  const isLeft = signStatus === SignStatus.withdrawn || signStatus === SignStatus.draft
  return isLeft || phasesOf(exam, now).some(phase => phase === '已结束' || phase === '已关闭')
}

/**
 * The caller's sign-ups, newest first, each with what to do next and what has happened.
 * @param readers what later modules know of them
 * @param inWords the text of a refusal in the language of the page
 */
export async function signupsOf(
  caller: Caller,
  readers: FactsReaders,
  query: { current?: number; size?: number },
  inWords: (refusal: Refusal) => string = one => one.message,
) {
  const { db, person, now } = caller
  const place = pageOf(query)
  const base = db.selectFrom('signup').where('userId', '=', person.userId)
  const [rows, total] = await Promise.all([
    base
      .selectAll()
      .select(ticketStateOf(db, 'signup.id').as('ticketState'))
      .orderBy('createTime', 'desc')
      .orderBy('id')
      .limit(place.size)
      .offset(place.offset)
      .execute(),
    base.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
  ])
  const exams = await examsOf(db, rows)
  const [facts, stages, names, dicts, lines] = await Promise.all([
    summariesOf(readers, { db, rows, exams, now }),
    stagesOf(db, [...exams.keys()]),
    postNames(db, rows),
    loadDicts(db, ['recruit_unit', 'post_type']),
    historyOf(
      db,
      rows.map(row => row.id),
      false,
    ),
  ])
  const wordsOf = (refusal: Refusal | null): string => (refusal ? inWords(refusal) : '')
  const records = rows.map(row => {
    const exam = exams.get(row.examId)!
    const { unit, type, code } = inForce(row)
    const known = facts.get(row.id)!
    const step = nextStep(exam, row, known, now)
    const own = stages.filter(one => one.examId === row.examId)
    return {
      id: row.id,
      signNo: row.signNo,
      examId: row.examId,
      examName: exam.examName,
      version: row.version,
      unit,
      unitName: optionText(dicts.recruit_unit, unit),
      type,
      typeName: optionText(dicts.post_type, type),
      code,
      postName: names(row.examId, code),
      finalCode: row.finalCode,
      adjustAccept: row.adjustAccept,
      canAdjust: adjustRefusal({ exam, signup: row }, now) === null,
      /** Why it is too late to take the sign-up back, in words. */
      withdrawBlock: wordsOf(untimely(signupWindows.withdraw, { exam }, now)),
      signStatus: row.signStatus,
      examine: row.examine,
      examineRemark: row.examineRemark,
      examineTime: row.examineTime,
      reviewStatus: row.reviewStatus,
      reviewRemark: row.reviewRemark,
      reduceState: row.reduceState,
      payState: row.payState,
      ticketState: row.ticketState,
      submitTime: row.submitTime,
      contactPhone: exam.contactPhone,
      steps: stepsOf(lines, row.id),
      ...step,
      payAmount: step.nextStep === 'PAY' ? known.payAmount : null,
      isExemptAsked: known.isExemptAsked,
      isOver: isOver(exam, row, step, now),
      line: lineOf({ exam, signup: row, stages: own, step }, known, now),
    }
  })
  return page(records, Number(total.n), place)
}
