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
import { type AnyTrx, type Live, type LiveFor, type LiveTrx, liveFor } from '../../../platform/database/live.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import type { SendRow } from './rows.ts'

/**
 * Puts sendings that have just begun into the notices of their receivers: one notice for each sending, in which every receiver
 * finds the text for that receiver. With this, messages that are notices alone have arrived, or failed where there is no account;
 * those that are text messages as well stay as they are. Sendings of text messages alone are left out.
 * @param tenantId whose sendings they are
 * @param sendIds at least one
 */
export async function putInNotices(
  trx: AnyTrx,
  tenantId: string,
  sendIds: readonly string[],
  now: Date,
): Promise<void> {
  const program: LiveFor = { tenantId, userId: null, now: () => now }
  const db = liveFor(trx, program)
  await findAccounts(db, sendIds)
  // A notice is its sender's, and nobody has changed it yet.
  for (const { createUser, ...send } of await toldBy(db, sendIds))
    await addNotice(liveFor(trx, { ...program, authorId: createUser }), send, now)
  await settle(db, sendIds, now)
}

/** The account of a receiver: the one that was chosen, else that of the phone, a candidate's before others. */
async function findAccounts(db: LiveTrx, sendIds: readonly string[]): Promise<void> {
  await db
    .updateTable('sendmessage as m')
    .from('send as s')
    .set(eb => {
      const usable = eb
        .selectFrom('user as u')
        .select('u.id')
        .where('u.accountStatus', '=', eb.lit(AccountStatus.active))
      const chosen = usable.whereRef('u.id', '=', 'm.userId')
      const byPhone = usable
        .whereRef('u.phoneHash', '=', 'm.phoneHash')
        .orderBy(user => user('u.userType', '=', user.lit(UserType.candidate)), 'desc')
        .orderBy('u.id')
        .limit(1)
      return { userId: eb.fn.coalesce(chosen.$asScalar(), byPhone.$asScalar()) }
    })
    .whereRef('s.id', '=', 'm.sendId')
    .where('s.id', 'in', [...sendIds])
    .where('s.sendType', '<>', SendType.sms)
    .execute()
}

/** Sendings that reach somebody by a notice. */
const toldBy = (db: LiveTrx, sendIds: readonly string[]) =>
  db
    .selectFrom('send')
    .select(['id', 'title', 'examId', 'content', 'createUser', 'createDept'])
    .where('id', 'in', [...sendIds])
    .where('sendType', '<>', SendType.sms)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sendmessage as m')
          .select('m.id')
          .whereRef('m.sendId', '=', 'send.id')
          .where('m.userId', 'is not', null),
      ),
    )
    .execute()

type Told = Pick<SendRow, 'id' | 'title' | 'examId' | 'content' | 'createDept'>

/** Adds the notice of a sending that has none; whoever has taken it back keeps it back. */
async function addNotice(db: LiveTrx, { id, content, ...send }: Told, now: Date): Promise<void> {
  await db
    .insertInto('notice')
    .values({
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
    })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

async function settle(db: LiveTrx, sendIds: readonly string[], now: Date): Promise<void> {
  await db
    .updateTable('sendmessage as m')
    .from('send as s')
    .set(eb => ({
      sendTime: now,
      msgStatus: eb
        .case()
        .when('m.userId', 'is', null)
        .then(eb.lit(MsgStatus.failed))
        .else(eb.lit(MsgStatus.sent))
        .end(),
      errMsg: eb.case().when('m.userId', 'is', null).then('没有账号').end(),
      reportTime: eb
        .case()
        .when('m.userId', 'is not', null)
        .then(eb.cast<Date>(eb.val(now), 'timestamptz'))
        .end(),
    }))
    .whereRef('s.id', '=', 'm.sendId')
    .where('s.id', 'in', [...sendIds])
    .where('s.sendType', '=', SendType.inbox)
    .where('m.msgStatus', '=', MsgStatus.queued)
    .execute()
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
