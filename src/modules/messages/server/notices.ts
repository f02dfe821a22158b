import { sql } from 'kysely'
import {
  AccountStatus,
  MsgStatus,
  NoticeCategory,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  SendType,
  UserType,
} from '#schemas/dictionaries'
import type { Trx } from '../../../platform/database/database.ts'
import type { Live } from '../../../platform/database/live.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'

/**
 * Puts sendings that have just begun into the notices of their receivers: one notice for each sending, in which every receiver
 * finds the text for that receiver. With this, messages that are notices alone have arrived, or failed where there is no account;
 * those that are text messages as well stay as they are. Sendings of text messages alone are left out.
 */
export async function putInNotices(trx: Trx, sendIds: readonly string[], now: Date): Promise<void> {
  await findAccounts(trx, sendIds, now)
  await addNotices(trx, sendIds, now)
  await settle(trx, sendIds, now)
}

const among = (sendIds: readonly string[]) => sql`s.id = m."sendId" AND s.id = ANY(${[...sendIds]}::bigint[])
  AND m."isDeleted" = 0`

/** The account of a receiver: the one that was chosen, else that of the phone, a candidate's before others. */
async function findAccounts(trx: Trx, sendIds: readonly string[], now: Date): Promise<void> {
  const usable = sql`u."tenantId" = m."tenantId" AND u."accountStatus" = ${sql.lit(AccountStatus.active)} AND u."isDeleted" = 0`
  await sql`
    UPDATE sendmessage m SET "updateTime" = ${now}, "userId" = coalesce(
      (SELECT u.id FROM "user" u WHERE u.id = m."userId" AND ${usable}),
      (SELECT u.id FROM "user" u WHERE u."phoneHash" = m."phoneHash" AND ${usable}
        ORDER BY u."userType" = ${sql.lit(UserType.candidate)} DESC, u.id LIMIT 1))
    FROM send s WHERE ${among(sendIds)} AND s."sendType" <> ${SendType.sms}`.execute(trx)
}

/** Adds the notice of each sending that reaches somebody and has none; whoever has taken it back keeps it back. */
async function addNotices(trx: Trx, sendIds: readonly string[], now: Date): Promise<void> {
  const sends = await trx
    .selectFrom('send')
    .select(['id', 'tenantId', 'title', 'examId', 'content', 'createUser', 'createDept'])
    .where('id', 'in', [...sendIds])
    .where('sendType', '<>', SendType.sms)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sendmessage as m')
          .select('m.id')
          .whereRef('m.sendId', '=', 'send.id')
          .where('m.userId', 'is not', null)
          .where('m.isDeleted', '=', 0),
      ),
    )
    .execute()
  if (sends.length === 0) return
  const rows = sends.map(
    ({ id, content, ...send }) =>
      ({
        ...send,
        sendId: id,
        content: `<p>${escapeHtml(content ?? '')}</p>`,
        scope1: NoticeScope.recipients,
        noticeType: NoticeType.notice,
        category: send.examId ? NoticeCategory.exam : NoticeCategory.system,
        releaseTime: now,
        needSure: 0,
        isTop: 0,
        noticeStatus: NoticeStatus.released,
        createTime: now,
        updateTime: now,
      }) as const,
  )
  await trx
    .insertInto('notice')
    .values(rows)
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

async function settle(trx: Trx, sendIds: readonly string[], now: Date): Promise<void> {
  await sql`
    UPDATE sendmessage m SET "sendTime" = ${now}, "updateTime" = ${now},
      "msgStatus" = CASE WHEN m."userId" IS NULL THEN ${MsgStatus.failed}::int ELSE ${MsgStatus.sent}::int END,
      "errMsg" = CASE WHEN m."userId" IS NULL THEN '没有账号' END,
      "reportTime" = CASE WHEN m."userId" IS NOT NULL THEN ${now}::timestamptz END
    FROM send s WHERE ${among(sendIds)} AND s."sendType" = ${SendType.inbox}
      AND m."msgStatus" = ${MsgStatus.queued}`.execute(trx)
}

/** How many receivers of a sending that went into the notices have no account to find it in. */
export async function withoutAccount(db: Live, sendId: string): Promise<number> {
  const { n } = await db
    .selectFrom('sendmessage')
    .where('sendId', '=', sendId)
    .where('userId', 'is', null)
    .select(eb => eb.fn.countAll<string>().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}
