import { examination } from '#resources/exams/examination'
import {
  AccountStatus,
  ExamStatus,
  NoticeCategory,
  NoticeFilter,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  SignStatus,
} from '#schemas/dictionaries'
import { Notice } from '#schemas/notices/notice'
import { keepHistory } from '../../../crud/history.ts'
import { on } from '../../../crud/rules.ts'
import type { Live } from '../../../platform/database/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { isTimeField, movedTimes, type TimeField, timeNames } from '../../exams/rules/exam-windows.ts'
import { candidatesNow, type ExamFilter } from './audience.ts'

/** Times that concern only some of the candidates. The others concern all who have signed up. */
const concerned: Partial<Record<TimeField, ExamFilter>> = {
  payStartTime: NoticeFilter.unpaid,
  payEndTime: NoticeFilter.unpaid,
  ticketStartTime: NoticeFilter.approved,
  ticketEndTime: NoticeFilter.approved,
  examStartTime: NoticeFilter.approved,
  examEndTime: NoticeFilter.approved,
  resultTime: NoticeFilter.approved,
  resultEndTime: NoticeFilter.approved,
  appealEndTime: NoticeFilter.approved,
}

/** Whom times concern together: who owes has been approved, and everybody has signed up. */
function filterOf(fields: readonly TimeField[]): ExamFilter | null {
  const filters = fields.map(field => concerned[field] ?? null)
  if (filters.includes(null)) return null
  return filters.includes(NoticeFilter.approved) ? NoticeFilter.approved : NoticeFilter.unpaid
}

/** Who has begun a form of an exam, sent or not: the end of sign-up concerns them. */
const beginners = (db: Live, examId: string) =>
  db
    .selectFrom('signup as s')
    .select('s.userId')
    .where('s.examId', '=', examId)
    .where('s.signStatus', 'in', [SignStatus.draft, SignStatus.submitted])

/** The candidates whom times of an exam concern, as ids of people in a column `userId`; null where none of the fields is a time. */
export function concernedBy(db: Live, examId: string, fields: readonly string[]) {
  const times = fields.filter(isTimeField)
  if (times.length === 0) return null
  return times.includes('signEndTime') ? beginners(db, examId) : candidatesNow(db, examId, filterOf(times))
}

/** How many candidates are told when fields of an exam change: those with an account in use. Null where none of them is a time. */
export async function countConcerned(db: Live, examId: string, fields: readonly string[]): Promise<number | null> {
  const people = concernedBy(db, examId, fields)
  if (!people) return null
  const { n } = await db
    .selectFrom('user')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('accountStatus', '=', AccountStatus.active)
    .where('id', 'in', people)
    .executeTakeFirstOrThrow()
  return Number(n)
}

const shown = (time: unknown): string => (time instanceof Date ? wireTime(time).slice(0, 16) : '未定')

/** When times of a released exam are moved, a notice to those concerned is drafted with the change. */
export const draftMoved = on(examination, 'submit', async ({ db, rows, before, caller, now }) => {
  for (const [at, exam] of rows.entries()) {
    const old = before[at]
    if (old?.examStatus !== ExamStatus.released) continue
    const times = movedTimes({ ...old }, { ...exam })
    if (times.length === 0) continue
    const lines = times.map(field => `<li>${timeNames[field]}：${shown(exam[field])}（原为 ${shown(old[field])}）</li>`)
    const drafted = await db
      .insertInto('notice')
      .values({
        title: `${exam.examName}时间调整`,
        category: NoticeCategory.exam,
        noticeType: NoticeType.announcement,
        examId: exam.id,
        scope1: NoticeScope.examCandidates,
        scopeState: filterOf(times),
        content: `<p>${escapeHtml(exam.examName)}的下列时间有调整：</p><ul>${lines.join('')}</ul><p>其他安排不变。</p>`,
        releaseTime: now,
        needSure: 0,
        isTop: 0,
        noticeStatus: NoticeStatus.draft,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    await keepHistory(db, Notice, [[null, drafted]], { act: 'add', userId: caller.userId, now })
  }
})
