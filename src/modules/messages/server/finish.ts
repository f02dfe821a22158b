import { sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import type { Reader } from '../../../platform/database/database.ts'

/**
 * Counts the sendings that run; those with nothing left are over.
 * @param sendId only this one
 */
export async function finishSends(db: Reader, now: Date, sendId?: string): Promise<void> {
  const these = sendId === undefined ? sql`` : sql`AND o.id = ${sendId}`
  await sql`
    UPDATE send s SET "successNum" = c.sent, "failNum" = c.failed, "updateTime" = ${now}, version = s.version + 1,
      "sendStatus" = CASE WHEN c.left > 0 THEN s."sendStatus" WHEN c.failed > 0 THEN ${SendStatus.partlyFailed}::int
        ELSE ${SendStatus.done}::int END
    FROM (
      SELECT m."sendId", count(*) FILTER (WHERE m."msgStatus" = ${MsgStatus.sent}) AS sent,
        count(*) FILTER (WHERE m."msgStatus" = ${MsgStatus.failed}) AS failed,
        count(*) FILTER (WHERE m."msgStatus" IN (${MsgStatus.queued}, ${MsgStatus.sending})) AS left
      FROM sendmessage m JOIN send o ON o.id = m."sendId"
      WHERE o."sendStatus" = ${SendStatus.sending} AND o."isDeleted" = 0 AND m."isDeleted" = 0 ${these}
      GROUP BY m."sendId"
    ) c
    WHERE s.id = c."sendId" AND s."sendStatus" = ${SendStatus.sending}`.execute(db)
}
