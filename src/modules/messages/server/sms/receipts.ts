import { type ExpressionBuilder, sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { noteTexts } from '../../../../platform/accounts/server/contacts.ts'
import type { TakeReceipt } from '../../../../platform/channels/sms/receipts.ts'
import type { AcrossDatabase, AcrossTrx } from '../../../../platform/database/live.ts'
import { programOf } from '../../../../platform/http/server/live.ts'
import { readOutId } from '../out-id.ts'

/** Counts a message of a sending that is over anew: it has become a failure, or is none after all. */
async function recount(trx: AcrossTrx, sendId: string, failed: 1 | -1): Promise<void> {
  const moved = (eb: ExpressionBuilder<AcrossDatabase, 'send'>, name: 'successNum' | 'failNum', by: number) =>
    eb.fn<number>('greatest', [eb(eb.fn.coalesce(name, eb.lit(0)), '+', by), eb.lit(0)])
  await trx
    .updateTable('send')
    .set(eb => ({
      successNum: moved(eb, 'successNum', -failed),
      failNum: moved(eb, 'failNum', failed),
      version: eb('version', '+', 1),
      sendStatus: sql<
        typeof SendStatus.done | typeof SendStatus.partlyFailed
      >`CASE WHEN ${failed}::int > 0 OR "failNum" > 1 THEN ${SendStatus.partlyFailed}::int ELSE ${SendStatus.done}::int END`,
    }))
    .where('id', '=', sendId)
    .where('sendStatus', 'in', [SendStatus.done, SendStatus.partlyFailed])
    .execute()
}

/** How many messages in a row a number takes none of before it is given up. */
const deadAfter = 2

/** Notes at the person that a number takes no messages, or takes them again. */
async function noteNumber(
  trx: AcrossTrx,
  { tenantId, userId, phoneHash }: { tenantId: string; userId: string | null; phoneHash: string | null },
  problem: string | null,
  now: Date,
): Promise<void> {
  if (userId === null || phoneHash === null) return
  const last = await trx
    .selectFrom('sms_sent')
    .select('problem')
    .where('phoneHash', '=', phoneHash)
    .where('told', '=', true)
    .orderBy('time', 'desc')
    .limit(deadAfter)
    .execute()
  if (problem !== null && (last.length < deadAfter || last.some(one => one.problem === null))) return
  await noteTexts(programOf(trx, { tenantId }, now), { userId, phoneHash, problem })
}

/** States of a message that is to go out, or is under way. */
const open: readonly number[] = [MsgStatus.queued, MsgStatus.sending, MsgStatus.held]

/**
 * Takes in what a provider says of a message: one that did not arrive is a failure after all, with the reason, and may be sent again;
 * one of which nobody could tell has arrived. A receipt may come before the answer of the provider: the message is then done with it.
 */
export const takeMessageReceipt: TakeReceipt = async (trx, { id, bizNo, problem }, now) => {
  const tried = readOutId(id)
  if (!tried) return false
  const has = problem === null ? MsgStatus.sent : MsgStatus.failed
  const before = problem === null ? MsgStatus.failed : MsgStatus.sent
  const row = await trx
    .selectFrom('sendmessage')
    .select(['sendId', 'msgStatus', 'bizNo', 'tenantId', 'userId', 'phoneHash'])
    .where('id', '=', tried.id)
    .where(eb => {
      const retryNum = eb.fn.coalesce('retryNum', eb.lit(0))
      const isThis = eb(retryNum, '=', tried.retryNum)
      // One that goes once more since nobody could tell of it has arrived by the first, too.
      const isFirst = eb.and([eb(retryNum, '=', tried.retryNum + 1), eb('againTime', 'is not', null)])
      return problem === null ? eb.or([isThis, isFirst]) : isThis
    })
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return true
  const isOpen = open.includes(row.msgStatus)
  const isNews = isOpen || row.msgStatus === before
  const result = { msgStatus: has, errMsg: problem?.slice(0, 255) ?? null, bizNo: bizNo || row.bizNo, reportTime: now }
  // Of one of which nobody could tell it is known now why it did not arrive.
  const stays = { reportTime: now, ...(problem !== null && row.msgStatus === has && { errMsg: result.errMsg }) }
  await trx
    .updateTable('sendmessage')
    .set(isNews ? result : stays)
    .where('id', '=', tried.id)
    .execute()
  // One that is under way is counted when its sending ends.
  if (row.msgStatus === before) await recount(trx, row.sendId, problem === null ? -1 : 1)
  await noteNumber(trx, row, problem, now)
  return true
}
