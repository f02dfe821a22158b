import { sql } from 'kysely'
import { ExamineStatus, NoticeType, RequestKind, RequestStatus, SureState } from '#schemas/dictionaries'
import type { Demo, DemoExam } from './exams.ts'

/** Most of those who may sit the test have read its notices; the first candidate has still to. */
export async function makeReaders({ db }: Demo, { id: examId }: DemoExam): Promise<void> {
  const invited = sql`SELECT s.*, row_number() OVER (ORDER BY s."signNo") AS n FROM signup s
    WHERE s."examId" = ${examId} AND s.examine = ${sql.lit(ExamineStatus.approved)}`
  const readAt = sql`notice."releaseTime" + s.n * interval '7 minutes'`
  await sql`INSERT INTO notifyread ("tenantId", "noticeId", "userId", name, "readTime", "sureTime", "sureState", "createUser", "createTime")
    SELECT s."tenantId", notice.id, s."userId", s.name, ${readAt}, CASE WHEN s.n % 5 < 3 THEN ${readAt} END,
      CASE WHEN s.n % 5 < 3 THEN ${sql.lit(SureState.confirmed)} ELSE ${sql.lit(SureState.read)} END, s."userId", ${readAt}
    FROM notice, (${invited}) s WHERE notice."examId" = ${examId} AND s.n > 1 AND s.n % 5 < 4`.execute(db)
  await sql`INSERT INTO noticeread ("tenantId", "noticeId", "examId", "userId", name, "readTime", "createUser", "createTime")
    SELECT s."tenantId", notice.id, notice."examId", s."userId", s.name, ${readAt}, s."userId", ${readAt}
    FROM notice, (${invited}) s WHERE notice."noticeType" = ${sql.lit(NoticeType.announcement)} AND s.n % 3 < 2`.execute(
    db,
  )
  await sql`UPDATE notice SET "readNum" = one.seen, "sureNum" = one.sure FROM (
      SELECT "noticeId", count(*)::int AS seen, count(*) FILTER (WHERE "sureState" = ${sql.lit(SureState.confirmed)})::int AS sure
      FROM (SELECT "noticeId", "sureState" FROM notifyread UNION ALL SELECT "noticeId", 1 FROM noticeread) seen
      GROUP BY 1) one WHERE one."noticeId" = notice.id`.execute(db)
}

/** A candidate asks for the name to be put right; staff have not looked at it yet. */
export async function makeRequests({ db, tenantId, now }: Demo): Promise<void> {
  const user = await db
    .selectFrom('user')
    .select(['id', 'realName'])
    .where('account', '=', 'ks00002')
    .where('tenantId', '=', tenantId)
    .executeTakeFirst()
  if (!user?.realName) return
  const realName = `${user.realName.slice(0, 1)}晓${user.realName.slice(-1)}`
  const change = { name: user.realName, realName, reason: '户口簿上的姓名已更正，附变更页' }
  await db
    .insertInto('userupdateinfo')
    .values({
      ...change,
      tenantId,
      userId: user.id,
      createUser: user.id,
      createTime: now,
      updateTime: now,
      beforeInfo: JSON.stringify({ realName: user.realName }),
      afterInfo: JSON.stringify({ realName }),
    })
    .execute()
  const due = new Date(now.getTime() + 21 * 86_400_000).toISOString().slice(0, 10)
  await db
    .insertInto('datarequest')
    .values({
      tenantId,
      userId: user.id,
      name: user.realName,
      requestKind: RequestKind.explain,
      content: '请说明我的身份证照片为什么要保存、保存到什么时候。',
      requestStatus: RequestStatus.asked,
      dueDate: due,
      createUser: user.id,
      createTime: now,
      updateTime: now,
    })
    .execute()
}
