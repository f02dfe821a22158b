import {
  ObjectionKind,
  ObjectionStatus,
  PublicityKind,
  PublicityStatus,
  ReleaseStatus,
  WorkdayKind,
} from '#schemas/dictionaries'
import type { Actor } from '../modules/exams/server/release.ts'
import { buildLines } from '../modules/publicity/server/draft.ts'
import type { Reader } from '../platform/database/database.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveFor } from '../platform/database/live.ts'

const day = 86_400_000

/** Days that are not what their weekday says. */
const workdays = [
  ['2026-10-01', WorkdayKind.holiday, '国庆节'],
  ['2026-10-02', WorkdayKind.holiday, '国庆节'],
  ['2026-10-10', WorkdayKind.shifted, '国庆节调休'],
  ['2027-01-01', WorkdayKind.holiday, '元旦'],
] as const

/** The scores of an exam are on public notice, and somebody objects to a line of them. */
export async function makePublicity(db: Reader, { userId, now }: Actor): Promise<void> {
  const live = liveFor({ db }, { tenantId: firstTenant, userId, now: () => now })
  const stage = await live
    .selectFrom('examinationitem')
    .select(['id', 'examId', 'itemName'])
    .where('resultRelease', '=', ReleaseStatus.released)
    .orderBy('id')
    .executeTakeFirst()
  const known = await live.selectFrom('workday').select('id').limit(1).executeTakeFirst()
  if (!stage || known) return
  const confirming = await live.selectFrom('user').select('id').where('account', '=', 'jigou').executeTakeFirstOrThrow()
  await live
    .insertInto('workday')
    .values(workdays.map(([date, workdayKind, dayName]) => ({ day: date, workdayKind, dayName })))
    .execute()
  const list = await live
    .insertInto('publicity')
    .values({
      examId: stage.examId,
      itemId: stage.id,
      publicityKind: PublicityKind.scores,
      title: `${stage.itemName}成绩公示`,
      basis: '根据招聘公告，现将考试成绩予以公示。',
      columns: 'ticketNo,postName,code,score,rankNo',
      contactPhone: '0591-87654321',
      startTime: now,
      endTime: new Date(now.getTime() + 7 * day),
      objectionEnd: new Date(now.getTime() + 7 * day),
      publicityStatus: PublicityStatus.released,
      rowNum: 0,
      submitUser: userId,
      submitTime: now,
      confirmUser: confirming.id,
      confirmTime: now,
      openTime: now,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  await buildLines(live, list as never)
  await live
    .insertInto('objection')
    .values({
      examId: stage.examId,
      publicityId: list.id,
      receipt: 'GS-7K3M-9QXT',
      objectionKind: ObjectionKind.score,
      listNo: null,
      content: '公示的成绩与本人估分相差较大，请核对主观题评分。',
      isNamed: 0,
      objectionStatus: ObjectionStatus.pending,
      acceptDue: new Date(now.getTime() + 3 * day),
      answerDue: new Date(now.getTime() + 14 * day),
    })
    .execute()
}
