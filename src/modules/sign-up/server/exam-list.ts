import { sql } from 'kysely'
import { ExamStatus, SignStatus } from '#schemas/dictionaries'
import type { Caller, Db, ExamRow } from '../../../platform/access/server/caller.ts'
import { anywhere } from '../../../platform/database/like.ts'
import { type Page, page, pageOf } from '../../../platform/http/server/page.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { optionText } from '../../exams/rules/sign-text.ts'
import { loadDicts } from '../../exams/server/candidate/dictionaries.ts'
import { formDicts } from '../../exams/server/candidate/exam-form.ts'
import { withLists } from '../../exams/server/public-lists.ts'
import { examView, type ListedExam } from './exam-page.ts'
import { listPositions } from './positions-view.ts'

/** What a list of exams may be asked for. */
export interface ExamQuery {
  current?: number
  size?: number
  examName?: string
  examType?: string
}

const shown = (db: Db, query: ExamQuery) =>
  db
    .selectFrom('examination')
    .where('examStatus', 'in', [ExamStatus.released, ExamStatus.closed, ExamStatus.archived])
    .$if(Boolean(query.examName), q => q.where('examName', 'like', anywhere(query.examName!)))
    .$if(Boolean(query.examType), q => q.where('examType', '=', query.examType!))

interface Sums {
  planTotal: number
  postNum: number
  signNum: number
}

/** Places planned, positions and people of several exams. */
async function sumsOf(db: Db, ids: readonly string[]): Promise<Map<string, Sums>> {
  if (ids.length === 0) return new Map()
  const [plans, people] = await Promise.all([
    db
      .selectFrom('examitems')
      .select(['examId', sql<string>`coalesce(sum(coalesce("curPlanNum", "planNum")), 0)`.as('plan')])
      .select(eb => eb.fn.countAll<string>().as('posts'))
      .where('examId', 'in', ids)
      .where('enable', '=', 1)
      .groupBy('examId')
      .execute(),
    db
      .selectFrom('place_count')
      .select(['examId', 'signed'])
      .where('examId', 'in', ids)
      .where('code', '=', '')
      .execute(),
  ])
  return new Map(
    ids.map(id => {
      const plan = plans.find(one => one.examId === id)
      const signNum = people.find(one => one.examId === id)?.signed ?? 0
      return [id, { planTotal: Number(plan?.plan ?? 0), postNum: Number(plan?.posts ?? 0), signNum }]
    }),
  )
}

/** Released exams of a tenant, newest sign-up first, without anything about a person. */
export async function examsForAll(
  { db, now }: Pick<Caller, 'db' | 'now'>,
  query: ExamQuery,
): Promise<Page<ReturnType<typeof examLine>>> {
  const place = pageOf(query)
  const base = shown(db, query)
  const [rows, total, dicts] = await Promise.all([
    base.selectAll().orderBy('signStartTime', 'desc').orderBy('id').limit(place.size).offset(place.offset).execute(),
    base.select(eb => eb.fn.countAll<string>().as('n')).executeTakeFirstOrThrow(),
    loadDicts(db, ['exam_type']),
  ])
  const ids = rows.map(row => row.id)
  const sums = await sumsOf(db, ids)
  const typeName = (exam: ExamRow) => optionText(dicts.exam_type, exam.examType)
  const lines = (await withLists(db, rows)).map(exam => examLine(exam, now, sums.get(exam.id), typeName(exam)))
  return page(lines, Number(total.n), place)
}

const examLine = (exam: ListedExam, now: Date, sums: Sums | undefined, examTypeName: string) => ({
  ...examView(exam, now),
  examTypeName,
  planTotal: sums?.planTotal ?? 0,
  postNum: sums?.postNum ?? 0,
  signNum: exam.showNum === 1 ? (sums?.signNum ?? 0) : null,
  serverTime: now,
})

/** Released exams with the caller's own state in each. */
export async function examsFor(caller: Caller, query: ExamQuery) {
  const { db, person } = caller
  const list = await examsForAll(caller, query)
  const ids = list.records.map(one => one.examId)
  const mine = ids.length
    ? await db
        .selectFrom('signup')
        .select(['id', 'examId', 'signNo', 'signStatus', 'examine'])
        .where('userId', '=', person.userId)
        .where('examId', 'in', ids)
        .orderBy(eb => eb.case().when('signStatus', '=', SignStatus.withdrawn).then(1).else(0).end())
        .execute()
    : []
  const mySign = (examId: string) => {
    const found = mine.find(one => one.examId === examId)
    return found ? { id: found.id, signNo: found.signNo, signStatus: found.signStatus, examine: found.examine } : null
  }
  return { ...list, records: list.records.map(one => ({ ...one, mySign: mySign(one.examId) })) }
}

/** One released exam with its positions, for anybody. @throws exams.notFound */
export async function examForAll({ db, now }: Pick<Caller, 'db' | 'now'>, examId: string) {
  const exam = await shown(db, {}).selectAll().where('id', '=', examId).executeTakeFirst()
  if (!exam) throw refuse('exams.notFound')
  return examFace(db, exam, now)
}

/** An exam as everybody meets it at a moment: its words and days, its positions, what is to be known and promised. */
export async function examFace(db: Db, row: ExamRow, now: Date) {
  const dicts = await formDicts(db, [], true)
  const [sums, positions] = await Promise.all([sumsOf(db, [row.id]), listPositions(db, row, dicts)])
  const [exam = { ...row, lists: [] }] = await withLists(db, [row])
  return {
    ...examLine(exam, now, sums.get(exam.id), optionText(dicts.exam_type, exam.examType)),
    examDesc: exam.examDesc,
    signNotice: exam.signNotice,
    promise: exam.promise,
    positions,
  }
}
