import { type Kysely, sql } from 'kysely'
import { NoticeType, SureState } from '#schemas/dictionaries'
import type { Database } from '../../../platform/database/database.ts'
import { isFor, isOut } from './audience.ts'
import type { Reader } from './mark.ts'

/**
 * Marks every notice read that the person may read, has not read and need not confirm, in one statement; what must be
 * confirmed stays as it is. Announcements keep the address they were read from. Answers how many there were.
 */
export async function readAll(db: Kysely<Database>, { person, ip, now }: Reader): Promise<number> {
  const { userId, tenantId } = person
  const name = person.name.slice(0, 20)
  const { rows } = await sql`
    WITH unread AS (
      SELECT notice.id, notice."examId", notice."noticeType" FROM notice
      WHERE ${isOut(tenantId, now)} AND ${isFor(person, now)} AND coalesce(notice."needSure", 0) <> 1
        AND NOT EXISTS (SELECT 1 FROM noticeread r
          WHERE r."noticeId" = notice.id AND r."userId" = ${userId} AND r."isDeleted" = 0)
        AND NOT EXISTS (SELECT 1 FROM notifyread r
          WHERE r."noticeId" = notice.id AND r."userId" = ${userId} AND r."isDeleted" = 0 AND r."sureState" >= ${sql.lit(SureState.read)})
    ), seen AS (
      INSERT INTO noticeread ("noticeId", "examId", "userId", name, "readTime", "readIp", "tenantId", "createUser", "createTime")
      SELECT id, "examId", ${userId}, ${name}, ${now}, ${ip}, ${tenantId}, ${userId}, ${now}
      FROM unread WHERE "noticeType" = ${sql.lit(NoticeType.announcement)}
      ON CONFLICT ("tenantId", "noticeId", "userId") WHERE "isDeleted" = 0 DO NOTHING
      RETURNING "noticeId" AS id
    ), told AS (
      INSERT INTO notifyread ("noticeId", "userId", name, "readTime", "sureState", "tenantId", "createUser", "createTime")
      SELECT id, ${userId}, ${name}, ${now}, ${sql.lit(SureState.read)}, ${tenantId}, ${userId}, ${now}
      FROM unread WHERE "noticeType" IS DISTINCT FROM ${sql.lit(NoticeType.announcement)}
      ON CONFLICT ("tenantId", "noticeId", "userId") WHERE "isDeleted" = 0
        DO UPDATE SET "sureState" = ${sql.lit(SureState.read)}, "readTime" = coalesce(notifyread."readTime", excluded."readTime")
        WHERE notifyread."sureState" < ${sql.lit(SureState.read)}
      RETURNING "noticeId" AS id
    )
    UPDATE notice SET "readNum" = coalesce("readNum", 0) + 1
    WHERE id IN (SELECT id FROM seen UNION ALL SELECT id FROM told)
    RETURNING id`.execute(db)
  return rows.length
}
