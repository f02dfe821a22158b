import type { Kysely } from 'kysely'
import { refuse } from '../../domain/refusal.ts'
import type { Database } from '../../plugins/database.ts'
import type { Mover } from '../exam/release.ts'
import { lockStage } from './allot.ts'

/** Releases every ticket of a stage at once: 0 → 1. @returns how many @throws 29009 before the seats are locked */
export async function releaseTicket(db: Kysely<Database>, itemId: string, mover: Mover): Promise<number> {
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.seatStatus !== 2) throw refuse(29009)
    const moved = await trx
      .updateTable('examinationticket')
      .set({ ticketStatus: 1, updateUser: mover.userId, updateTime: mover.now })
      .where('itemId', '=', itemId)
      .where('ticketStatus', '=', 0)
      .where('isDeleted', '=', 0)
      .returning('signupId')
      .execute()
    await markSignups(
      trx,
      moved.map(one => one.signupId),
      1,
    )
    await trx
      .updateTable('examinationitem')
      .set({ ticketRelease: 1, updateUser: mover.userId, updateTime: mover.now })
      .where('id', '=', itemId)
      .execute()
    return moved.length
  })
}

/** Takes a stage's tickets back: 1 → 0, with a reason. @throws 29005 without one, 29009 when none is released */
export async function recallTicket(
  db: Kysely<Database>,
  itemId: string,
  mover: Mover,
  reason: string,
): Promise<number> {
  if (!reason) throw refuse(29005, { 说明: '请输入撤回原因' })
  return db.transaction().execute(async trx => {
    const stage = await lockStage(trx, itemId)
    if (stage.ticketRelease !== 1) throw refuse(29009)
    const moved = await trx
      .updateTable('examinationticket')
      .set({ ticketStatus: 0, updateUser: mover.userId, updateTime: mover.now })
      .where('itemId', '=', itemId)
      .where('ticketStatus', '=', 1)
      .where('isDeleted', '=', 0)
      .returning('signupId')
      .execute()
    await markSignups(
      trx,
      moved.map(one => one.signupId),
      0,
    )
    await trx
      .updateTable('examinationitem')
      .set({ ticketRelease: 2, updateUser: mover.userId, updateTime: mover.now })
      .where('id', '=', itemId)
      .execute()
    return moved.length
  })
}

/** Voids tickets for good: 1 → 2, with a reason the candidate is shown. @throws 29005, 29009 when none is in state 1 */
export async function voidTicket(
  db: Kysely<Database>,
  ids: readonly string[],
  mover: Mover,
  reason: string,
): Promise<number> {
  if (!reason) throw refuse(29005, { 说明: '请输入作废原因' })
  return db.transaction().execute(async trx => {
    const moved = await trx
      .updateTable('examinationticket')
      .set(eb => ({
        ticketStatus: 2,
        voidReason: reason,
        version: eb('version', '+', 1),
        updateUser: mover.userId,
        updateTime: mover.now,
      }))
      .where('id', 'in', [...ids])
      .where('ticketStatus', '=', 1)
      .where('isDeleted', '=', 0)
      .returning('signupId')
      .execute()
    if (!moved.length) throw refuse(29009)
    await markSignups(
      trx,
      moved.map(one => one.signupId),
      2,
    )
    return moved.length
  })
}

async function markSignups(trx: Kysely<Database>, ids: readonly string[], ticketState: 0 | 1 | 2): Promise<void> {
  for (let at = 0; at < ids.length; at += 10_000)
    await trx
      .updateTable('signup')
      .set({ ticketState })
      .where('id', 'in', ids.slice(at, at + 10_000))
      .execute()
}
