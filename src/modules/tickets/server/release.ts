import { type Kysely, sql } from 'kysely'
import { examinationitem } from '#resources/exams/examinationitem'
import { NoticeCategory, NoticeScope, NoticeStatus, NoticeType, SeatStatus, TicketStatus } from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import { guard, on } from '../../../crud/rules.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { factsOf, stageOf } from './stage.ts'

/**
 * Whether the tickets of a stage can be released.
 * @throws row.wrongState before the seats are locked, and when the stage is over
 */
async function checkTickets(trx: Kysely<Database>, itemId: string, now: Date): Promise<void> {
  const stage = await stageOf(trx, itemId)
  if (stage?.seatStatus !== SeatStatus.locked) throw refuse('row.wrongState')
  checkTimely('ticket.release', factsOf(stage), now)
}

/** Notes at the sign-ups how the tickets stand that have changed. */
async function copyTicketState(trx: Kysely<Database>, ticketIds: readonly string[] = []): Promise<void> {
  await sql`update signup set "ticketState" = ticket."ticketStatus" from examinationticket ticket
    where ticket.id = any(${ticketIds}::bigint[]) and signup.id = ticket."signupId"`.execute(trx)
}

/** Tells the candidates of a stage that their tickets are not good for now. */
async function notifyRecall(trx: Kysely<Database>, itemId: string, { userId, now }: Actor, reason: string) {
  const stage = await stageOf(trx, itemId)
  if (!stage) return
  const { tenantId, examId, examName, itemName } = stage
  const content = `「${examName} ${itemName}」的准考证已撤回，请勿使用此前下载的准考证，等待重新发布。原因：${reason}`
  await trx
    .insertInto('notice')
    .values({
      tenantId,
      title: `准考证撤回：${examName} ${itemName}`.slice(0, 200),
      content: `<p>${escapeHtml(content)}</p>`,
      category: NoticeCategory.exam,
      noticeType: NoticeType.notice,
      examId,
      scope1: NoticeScope.stageCandidates,
      scope2: itemId,
      releaseTime: now,
      needSure: 0,
      isTop: 1,
      noticeStatus: NoticeStatus.released,
      createUser: userId,
      createTime: now,
      updateTime: now,
    })
    .execute()
}

/** The release of a stage's tickets: when it can be made, and what follows from it. */
export const releaseRules = [
  guard(examinationitem, 'releaseTicket', async ({ trx, rows, now }) => {
    for (const stage of rows) await checkTickets(trx, stage.id, now)
  }),
  on(examinationitem, 'releaseTicket', ({ trx, along }) => copyTicketState(trx, along.examinationticket)),
  on(examinationitem, 'recallTicket', async ({ trx, rows, along, caller: { userId }, now, reason }) => {
    await copyTicketState(trx, along.examinationticket)
    for (const stage of rows) await notifyRecall(trx, stage.id, { userId, now }, reason)
  }),
]

/** Whether one person has voided all these tickets before, for the same reason. */
async function voidedBefore(trx: Kysely<Database>, ids: readonly string[], { userId }: Actor, reason: string) {
  const rows = await trx
    .selectFrom('examinationticket')
    .select('id')
    .where('id', 'in', [...ids])
    .where('ticketStatus', '=', TicketStatus.voided)
    .where('updateUser', '=', userId)
    .where('voidReason', '=', reason)
    .where('isDeleted', '=', 0)
    .execute()
  return rows.length === ids.length
}

/**
 * Voids tickets for good: 1 → 2, with a reason the candidate is shown.
 * @throws input.invalid, row.wrongState when none is in state 1, exams.archived
 */
export async function voidTicket(
  db: Kysely<Database>,
  ids: readonly string[],
  mover: Actor,
  reason: string,
): Promise<number> {
  if (!reason) throw refuse('input.invalid', { 说明: '请输入作废原因' })
  return db.transaction().execute(async trx => {
    const moved = await trx
      .updateTable('examinationticket')
      .set(eb => ({
        ticketStatus: TicketStatus.voided,
        voidReason: reason,
        version: eb('version', '+', 1),
        updateUser: mover.userId,
        updateTime: mover.now,
      }))
      .where('id', 'in', [...ids])
      .where('ticketStatus', '=', TicketStatus.released)
      .where('isDeleted', '=', 0)
      .returning(['signupId', 'examId'])
      .execute()
    if (!moved.length) {
      if (await voidedBefore(trx, ids, mover, reason)) return 0
      throw refuse('row.wrongState')
    }
    await refuseArchived(
      trx,
      moved.map(one => one.examId),
    )
    await markSignups(
      trx,
      moved.map(one => one.signupId),
      TicketStatus.voided,
    )
    return moved.length
  })
}

/** Notes at the sign-ups how their tickets stand. */
export async function markSignups(
  trx: Kysely<Database>,
  ids: readonly string[],
  ticketState: 0 | 1 | 2,
): Promise<void> {
  for (let at = 0; at < ids.length; at += 10_000)
    await trx
      .updateTable('signup')
      .set({ ticketState })
      .where('id', 'in', ids.slice(at, at + 10_000))
      .execute()
}
