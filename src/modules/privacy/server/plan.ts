import type { Keep } from '#engine'
import { AppealStatus, ExamStatus, RefundStatus, SignStatus } from '#schemas/dictionaries'
import type { Live } from '../../../platform/database/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../platform/http/server/wire.ts'
import { type Ends, keptUntil } from '../rules/kept-until.ts'
import { column, leadingIds, type PersonalEntity, personalEntities, tableFor } from './kinds.ts'

/** Rows of one kind about a person, of one exam where they belong to one. */
interface Group {
  readonly examName: string
  readonly count: number
  /** The day until which they are kept; an empty text while it is not known. */
  readonly until: string
}

/** One kind of data about a person: what for, on what ground, and how long. */
export interface KindOfData {
  readonly name: string
  readonly title: string
  readonly fields: readonly string[]
  readonly purpose: string
  readonly keep: Keep
  readonly count: number
  readonly groups: readonly Group[]
}

interface ExamEnds {
  readonly examName: string
  readonly archive: Date | null
  readonly day: Date | null
}

async function examsOf(db: Live, ids: readonly string[]): Promise<ReadonlyMap<string, ExamEnds>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('examination')
    .select(['id', 'examName', 'archiveTime', 'examEndTime'])
    .where('id', 'in', [...ids])
    .execute()
  return new Map(
    rows.map(({ id, examName, archiveTime, examEndTime }) => [
      id,
      { examName, archive: archiveTime, day: examEndTime },
    ]),
  )
}

interface Counted {
  readonly examId: string | null
  readonly count: number
  readonly last: Date
}

/** Rows of a kind, counted by the exam that they belong to: their own, or that of their sign-up. */
async function counted(db: Live, entity: PersonalEntity, ids: readonly string[]): Promise<readonly Counted[]> {
  if (ids.length === 0) return []
  const rows = db.selectFrom(tableFor(entity)).where(column(entity.about), 'in', [...ids])
  const sums = rows.select(eb => [eb.fn.countAll<string>().as('count'), eb.fn.max<Date>('createTime').as('last')])
  const hasExam = 'examId' in entity.properties
  const found = hasExam ? await sums.select('examId').groupBy('examId').execute() : await sums.execute()
  return found
    .map(one => ({
      examId: (one as { examId?: string | null }).examId ?? null,
      count: Number(one.count),
      last: one.last,
    }))
    .filter(one => one.count > 0)
}

/** Every kind of data that is kept about a person, those without a row among them. */
export async function kindsOfData(db: Live, userId: string): Promise<readonly KindOfData[]> {
  const led = await leadingIds(db, userId)
  const counts = new Map<string, readonly Counted[]>()
  for (const entity of personalEntities) counts.set(entity.name, await counted(db, entity, led(entity)))
  const exams = await examsOf(db, [...new Set([...counts.values()].flat().flatMap(one => one.examId ?? []))])
  const { lastLoginTime } = await db
    .selectFrom('user')
    .select('lastLoginTime')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  // What belongs to a sign-up without naming its exam is needed as long as the latest of them.
  const latest = latestOf([...exams.values()])
  return personalEntities.map(entity => {
    const keep = entity.keep as Keep
    const rows = counts.get(entity.name) ?? []
    const endsOf = ({ examId, last }: Counted): Ends => ({
      ...(exams.get(examId ?? '') ?? latest),
      end: entity.about === 'id' ? lastLoginTime : last,
    })
    return {
      name: entity.name,
      title: entity.title,
      fields: Object.values(entity.properties)
        .filter(field => !field.hidden)
        .map(field => field.title),
      purpose: entity.purpose ?? '',
      keep,
      count: rows.reduce((sum, one) => sum + one.count, 0),
      groups: rows.map(one => ({
        examName: exams.get(one.examId ?? '')?.examName ?? '',
        count: one.count,
        until: keptUntil(keep, endsOf(one)),
      })),
    }
  })
}

function latestOf(exams: readonly ExamEnds[]): Pick<Ends, 'archive' | 'day'> {
  const last = (times: readonly (Date | null)[]): Date | null =>
    times.some(time => time === null) || times.length === 0
      ? null
      : new Date(Math.max(...times.map(time => time?.getTime() ?? 0)))
  return { archive: last(exams.map(one => one.archive)), day: last(exams.map(one => one.day)) }
}

const openRefunds = [RefundStatus.requested, RefundStatus.processing, RefundStatus.exception]
const takingPart = [SignStatus.submitted, SignStatus.disqualified]

/** The day before which an exam is not archived, as far as its times say. */
function soonest(times: readonly (Date | null)[], now: Date): string {
  const known = times.flatMap(time => (time ? [time.getTime()] : []))
  return wireDay(new Date(Math.max(now.getTime(), ...known)))
}

/**
 * What stands against erasing the data of a person now: an exam in which the person takes part, money on its way back, an appeal
 * without an answer. Null when nothing does.
 */
export async function erasureBlock(db: Live, userId: string, now: Date): Promise<Refusal | null> {
  const exam = await db
    .selectFrom('signup')
    .innerJoin('examination', 'examination.id', 'signup.examId')
    .select(['examName', 'signEndTime', 'examEndTime', 'publicityEnd'])
    .where('signup.userId', '=', userId)
    .where('signup.signStatus', 'in', takingPart)
    .where('examination.examStatus', '<>', ExamStatus.archived)
    .orderBy('examination.publicityEnd', sort => sort.desc().nullsLast())
    .executeTakeFirst()
  if (exam) {
    const { examName, signEndTime, examEndTime, publicityEnd } = exam
    return refuse('privacy.examRunning', {
      考试: examName,
      时间: soonest([signEndTime, examEndTime, publicityEnd], now),
    })
  }
  const refund = await db
    .selectFrom('payrefund')
    .innerJoin('payrecord', 'payrecord.id', 'payrefund.payRecordId')
    .select('payrefund.refundNo')
    .where('payrecord.userId', '=', userId)
    .where('payrefund.refundStatus', 'in', openRefunds)
    .executeTakeFirst()
  if (refund) return refuse('privacy.refundOpen', { 单号: refund.refundNo })
  const appeal = await db
    .selectFrom('resultappeal')
    .innerJoin('signup', 'signup.id', 'resultappeal.signupId')
    .innerJoin('examination', 'examination.id', 'resultappeal.examId')
    .select('examination.examName')
    .where('signup.userId', '=', userId)
    .where('resultappeal.appealStatus', '=', AppealStatus.pending)
    .executeTakeFirst()
  return appeal ? refuse('privacy.appealOpen', { 考试: appeal.examName }) : null
}
