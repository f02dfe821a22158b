import { sql } from 'kysely'
import { examination } from '#resources/exams/examination'
import {
  AccountStatus,
  ConfirmStatus,
  EnableStatus,
  ExamStatus,
  NoticeCategory,
  NoticeFilter,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  PayState,
  ReleaseStatus,
  SignStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { Notice } from '#schemas/notices/notice'
import { keepHistory } from '../../../crud/history.ts'
import { on } from '../../../crud/rules.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { isTimeField, movedTimes, type TimeField, timeNames } from '../../exams/rules/exam-windows.ts'
import { positionHasStage, takenByRule } from '../../payment/server/payable.ts'
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

/** Times of an exam that a fee or a stage may have in its place. */
type SharedTime = 'payStartTime' | 'payEndTime' | 'ticketStartTime' | 'ticketEndTime'

const isTicketTime = (time: TimeField) => time === 'ticketStartTime' || time === 'ticketEndTime'
const isSharedTime = (time: TimeField): time is SharedTime =>
  isTicketTime(time) || time === 'payStartTime' || time === 'payEndTime'

/** Stages `i` of an exam that go by a time of it: they have no fee, or no time for tickets, of their own. */
const followers = (db: Live, examId: string, time: SharedTime) => {
  const stages = db
    .selectFrom('examinationitem as i')
    .where('i.examId', '=', examId)
    .where('i.itemStatus', '=', EnableStatus.enabled)
  if (time === 'ticketStartTime' || time === 'ticketEndTime')
    return stages.where('i.needTicket', '=', 1).where(`i.${time}`, 'is', null)
  return stages
    .where('i.needPay', '=', 1)
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom('exampay as x').select('x.id').whereRef('x.itemId', '=', 'i.id'))),
    )
}

/** Those of some times of an exam that somebody goes by: a fee or a stage with times of its own has no use for the exam's. */
async function timesInUse(db: Live, examId: string, times: readonly TimeField[]): Promise<TimeField[]> {
  const used = await Promise.all(
    times.map(
      async time =>
        !isSharedTime(time) || (await followers(db, examId, time).select('i.id').executeTakeFirst()) !== undefined,
    ),
  )
  return times.filter((_, at) => used[at])
}

/** Approved candidates who sit one of some stages `i` of their exam: they hold a ticket of it, or its rule takes them. */
const sitters = (db: Live, examId: string, stages: ReturnType<typeof followers>) =>
  candidatesNow(db, examId, NoticeFilter.approved).where(eb =>
    eb.exists(
      stages
        .innerJoin('examitems as p', join =>
          join.onRef('p.examId', '=', 'i.examId').on(sql<boolean>`p.code = coalesce(s."finalCode", s.code)`),
        )
        .where(one =>
          one.or([
            one.and([positionHasStage, takenByRule(db, 's', 'i')]),
            one.exists(
              one
                .selectFrom('examinationticket as k')
                .select('k.id')
                .where('k.signupId', '=', sql.ref<string>('s.id'))
                .whereRef('k.itemId', '=', 'i.id')
                .where('k.ticketStatus', '<>', TicketStatus.voided),
            ),
          ]),
        )
        .select('i.id') as never,
    ),
  )

/** Candidates who owe the fee of one of some stages `i`. */
const debtors = (db: Live, examId: string, stages: ReturnType<typeof followers>) =>
  candidatesNow(db, examId, null).where(
    's.id',
    'in',
    db
      .selectFrom('payrecord as r')
      .select('r.signupId')
      .where('r.payState', '=', PayState.due)
      .where('r.itemId', 'in', stages.select('i.id')),
  )

/** The candidates whom a time of an exam concerns. */
function concernedByOne(db: Live, examId: string, time: TimeField) {
  if (time === 'signEndTime') return beginners(db, examId)
  if (!isSharedTime(time)) return candidatesNow(db, examId, concerned[time] ?? null)
  const stages = followers(db, examId, time)
  return isTicketTime(time) ? sitters(db, examId, stages) : debtors(db, examId, stages)
}

/**
 * The candidates whom times of an exam concern, as ids of people in a column `userId`; null where none of the fields is a time that
 * somebody goes by.
 */
export async function concernedBy(db: Live, examId: string, fields: readonly string[]) {
  const times = await timesInUse(db, examId, fields.filter(isTimeField))
  if (times.length === 0) return null
  return db
    .selectFrom('user')
    .select('id as userId')
    .where(eb => eb.or(times.map(time => eb('id', 'in', concernedByOne(db, examId, time)))))
}

/** Whom the ends concern that a stage or its fee has of its own. */
const atStage = {
  payEndTime: (db: Live, stage: Stage) => debtors(db, stage.examId, itself(db, stage)),
  ticketEndTime: (db: Live, stage: Stage) => sitters(db, stage.examId, itself(db, stage)),
  // Whoever moved up has a time of the own.
  confirmEndTime: (db: Live, { id, examId }: Stage) =>
    candidatesNow(db, examId, null).where(
      's.id',
      'in',
      db
        .selectFrom('result as r')
        .leftJoin(withRemoved('promotion as m'), 'm.id', 'r.promotionId')
        .select('r.signupId')
        .where('r.itemId', '=', id)
        .where('r.resultStatus', '=', ReleaseStatus.released)
        .where('r.isNext', '=', 1)
        .where('r.confirmStatus', '=', ConfirmStatus.unanswered)
        .where('m.until', 'is', null),
    ),
} as const

type Stage = { readonly id: string; readonly examId: string }

const itself = (db: Live, { id }: Stage) => db.selectFrom('examinationitem as i').where('i.id', '=', id)

const isStageEnd = (field: string): field is keyof typeof atStage => field in atStage

/**
 * The candidates whom ends concern that a stage of a released exam, or its fee, has of its own, as ids of people in a column `userId`;
 * null where none of the fields is one.
 */
export async function concernedAtStage(db: Live, itemId: string, fields: readonly string[]) {
  const ends = fields.filter(isStageEnd)
  const stage = await db
    .selectFrom('examinationitem as i')
    .innerJoin('examination as e', 'e.id', 'i.examId')
    .select(['i.id', 'i.examId'])
    .where('i.id', '=', itemId)
    .where('e.examStatus', '=', ExamStatus.released)
    .executeTakeFirst()
  if (!stage || ends.length === 0) return null
  return db
    .selectFrom('user')
    .select('id as userId')
    .where(eb => eb.or(ends.map(end => eb('id', 'in', atStage[end](db, stage)))))
}

type Concerned = Awaited<ReturnType<typeof concernedBy>>

/** How many candidates are told of a change, by whom it concerns: those with an account in use. Null where it is told to nobody. */
export async function countConcerned(db: Live, people: Concerned): Promise<number | null> {
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
    const times = await timesInUse(db, exam.id, movedTimes({ ...old }, { ...exam }))
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
