import { ExamineStatus, ReleaseStatus, ResultFlag } from '#schemas/dictionaries'
import type { Actor } from '../modules/exams/server/release.ts'
import { releaseResult } from '../modules/results/server/release.ts'
import type { Reader } from '../platform/database/database.ts'
import { firstTenant } from '../platform/database/first-tenant.ts'
import { liveFor } from '../platform/database/live.ts'
import type { Demo, DemoExam } from './exams.ts'
import { chance } from './random.ts'

/** One in so many stayed away. */
const absent = 17

/** Scores of everybody who passed the review; they count when they are released. */
export async function makeScores({ db, tenantId, now, staff }: Demo, { id: examId, itemId }: DemoExam): Promise<void> {
  const random = chance(14)
  const people = await db
    .selectFrom('signup')
    .select(['id', 'signNo', 'name', 'idCard', 'idCardHash', 'idCardMask', 'unit', 'code'])
    .where('examId', '=', examId)
    .where('examine', '=', ExamineStatus.approved)
    .orderBy('signNo')
    .execute()
  const rows = people.map(({ id, signNo, ...person }, i) => {
    const score = (45 + random() * 50).toFixed(1)
    const isAbsent = i % absent === absent - 1
    return {
      ...person,
      tenantId,
      examId,
      itemId,
      signupId: id,
      ticketNo: signNo,
      score: isAbsent ? null : score,
      resultFlag: isAbsent ? ResultFlag.absent : ResultFlag.normal,
      isPass: 0,
      isNext: 0,
      createUser: staff.kaowu,
      createTime: now,
      updateTime: now,
    } as const
  })
  if (rows.length) await db.insertInto('result').values(rows).execute()
}

/** Ranks and releases the scores that are there, by the same function as the console's, and one candidate appeals. */
export async function releaseScores(db: Reader, actor: Actor): Promise<void> {
  const stages = await db
    .selectFrom('examinationitem as item')
    .innerJoin('result', 'result.itemId', 'item.id')
    .select('item.id')
    .distinct()
    .where('item.resultRelease', '=', ReleaseStatus.draft)
    .execute()
  const live = liveFor({ db }, { tenantId: firstTenant, userId: actor.userId, now: () => actor.now })
  for (const { id } of stages) {
    await releaseResult(live, id, actor, '')
    await appeal(db, id, actor.now)
  }
}

/** The second of a position, a little behind the first, asks for a look at the paper. */
async function appeal(db: Reader, itemId: string, now: Date): Promise<void> {
  const doubt = await db
    .selectFrom('result')
    .innerJoin('signup', 'signup.id', 'result.signupId')
    .select(['result.id', 'result.examId', 'result.signupId', 'result.score', 'result.tenantId', 'signup.userId'])
    .where('result.itemId', '=', itemId)
    .where('result.rankNo', '=', 2)
    .orderBy('result.id')
    .executeTakeFirst()
  if (!doubt) return
  const { id, score, userId, ...rest } = doubt
  const reason = '与估分相差较大，请核对主观题得分是否漏计。'
  await db
    .insertInto('resultappeal')
    .values({
      ...rest,
      itemId,
      resultId: id,
      oldScore: score,
      reason,
      createUser: userId,
      createTime: now,
      updateTime: now,
    })
    .execute()
}
