import type { Kysely, Transaction } from 'kysely'
import {
  NoticeCategory,
  NoticeScope,
  NoticeStatus,
  NoticeType,
  ReleaseStatus,
  SeatStatus,
  TicketStatus,
} from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import type { Database } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { escapeHtml } from '../../../platform/pdf/plain-text.ts'
import { checkTimely } from '../../exams/rules/act-windows.ts'
import type { Actor } from '../../exams/server/release.ts'
import { lockStage } from './allot.ts'
import { factsOf, type Stage } from './stage.ts'

/** A stage's tickets before and after a move, and what the stage says of itself then. */
interface Move {
  from: 0 | 1
  to: 0 | 1
  /** 1 released, 2 recalled. */
  release: 1 | 2
}

/** Moves all tickets of a stage in one step, and their sign-ups with them. @returns how many */
async function moveTickets(trx: Transaction<Database>, itemId: string, mover: Actor, move: Move): Promise<number> {
  const stamp = { updateUser: mover.userId, updateTime: mover.now }
  const moved = await trx
    .updateTable('examinationticket')
    .set({ ...stamp, ticketStatus: move.to })
    .where('itemId', '=', itemId)
    .where('ticketStatus', '=', move.from)
    .where('isDeleted', '=', 0)
    .returning('signupId')
    .execute()
  const signups = moved.map(one => one.signupId)
  await markSignups(trx, signups, move.to)
  const stage = { ...stamp, ticketRelease: move.release }
  await trx.updateTable('examinationitem').set(stage).where('id', '=', itemId).execute()
  return moved.length
}

/**
 * Whether the tickets of a stage can be released.
 * @throws row.wrongState before the seats are locked, and when the stage is over
 */
export function checkTickets(stage: Stage, { now }: Pick<Actor, 'now'>): void {
  if (stage.seatStatus !== SeatStatus.locked) throw refuse('row.wrongState')
  checkTimely('ticket.release', factsOf(stage), now)
}

/**
 * Releases every ticket of a stage at once: 0 → 1. Asked again by the same person, nothing happens.
 * @returns how many
 * @throws row.wrongState before the seats are locked, or when somebody else has released them
 */
export async function releaseTicket(db: Kysely<Database>, itemId: string, mover: Actor): Promise<number> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.ticketRelease === ReleaseStatus.released) {
      if (isOwnRepeat(stage, true, mover)) return 0
      throw refuse('row.wrongState')
    }
    checkTickets(stage, mover)
    return moveTickets(trx, itemId, mover, {
      from: TicketStatus.draft,
      to: TicketStatus.released,
      release: ReleaseStatus.released,
    })
  })
}

const recalledText = ({ examName, itemName }: Stage, reason: string): string =>
  `<p>${escapeHtml(`「${examName} ${itemName}」的准考证已撤回，请勿使用此前下载的准考证，等待重新发布。原因：${reason}`)}</p>`

/** Whether the candidates have been told this reason last. */
async function toldRecalled(trx: Transaction<Database>, stage: Stage, reason: string): Promise<boolean> {
  const last = await trx
    .selectFrom('notice')
    .select('content')
    .where('scope1', '=', NoticeScope.stageCandidates)
    .where('scope2', '=', stage.id)
    .orderBy('createTime', 'desc')
    .orderBy('id', 'desc')
    .executeTakeFirst()
  return last?.content === recalledText(stage, reason)
}

/** Tells the candidates of a stage that their tickets are not good for now. */
async function notifyRecall(trx: Transaction<Database>, stage: Stage, { userId, now }: Actor, reason: string) {
  const about = `${stage.examName} ${stage.itemName}`
  await trx
    .insertInto('notice')
    .values({
      tenantId: stage.tenantId,
      title: `准考证撤回：${about}`.slice(0, 200),
      content: recalledText(stage, reason),
      category: NoticeCategory.exam,
      noticeType: NoticeType.notice,
      examId: stage.examId,
      scope1: NoticeScope.stageCandidates,
      scope2: stage.id,
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

/**
 * Takes a stage's tickets back: 1 → 0, with a reason that the candidates are told.
 * @throws input.invalid without one, row.wrongState when none is released
 */
export async function recallTicket(
  db: Kysely<Database>,
  itemId: string,
  mover: Actor,
  reason: string,
): Promise<number> {
  if (!reason) throw refuse('input.invalid', { 说明: '请输入撤回原因' })
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (
      isOwnRepeat(stage, stage.ticketRelease === ReleaseStatus.recalled, mover) &&
      (await toldRecalled(trx, stage, reason))
    )
      return 0
    if (stage.ticketRelease !== ReleaseStatus.released) throw refuse('row.wrongState')
    await notifyRecall(trx, stage, mover, reason)
    return moveTickets(trx, itemId, mover, {
      from: TicketStatus.released,
      to: TicketStatus.draft,
      release: ReleaseStatus.recalled,
    })
  })
}

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
