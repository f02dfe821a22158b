import { type ExpressionBuilder, sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { noteTexts } from '../../../../platform/accounts/server/contacts.ts'
import type { TakeReceipt } from '../../../../platform/channels/sms/receipts.ts'
import type { AcrossDatabase, AcrossTrx } from '../../../../platform/database/live.ts'
import { programOf } from '../../../../platform/http/server/live.ts'

/** Number of a message and of its try, as the queue sends it. */
const outId = /^(\d+)-(\d+)$/

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

/**
 * Takes in what a provider says of a message: one that did not arrive is a failure after all, with the reason, and may be sent again;
 * one of which nobody could tell has arrived. A receipt may come before the answer of the provider: the message is then done with it.
 */
export const takeMessageReceipt: TakeReceipt = async (trx, { id, bizNo, problem }, now) => {
  const [, message, retry] = outId.exec(id) ?? []
  if (!message || !retry) return false
  const has = problem === null ? MsgStatus.sent : MsgStatus.failed
  const before = problem === null ? MsgStatus.failed : MsgStatus.sent
  const row = await trx
    .selectFrom('sendmessage')
    .select(['sendId', 'msgStatus', 'bizNo', 'tenantId', 'userId', 'phoneHash'])
    .where('id', '=', message)
    .where(eb => eb(eb.fn.coalesce('retryNum', eb.lit(0)), '=', Number(retry)))
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) return true
  const isOpen = row.msgStatus === MsgStatus.sending
  const result = { msgStatus: has, errMsg: problem?.slice(0, 255) ?? null, bizNo: bizNo || row.bizNo, reportTime: now }
  await trx
    .updateTable('sendmessage')
    .set(isOpen || row.msgStatus === before ? result : { reportTime: now })
    .where('id', '=', message)
    .execute()
  // One that is under way is counted when its sending ends.
  if (row.msgStatus === before) await recount(trx, row.sendId, problem === null ? -1 : 1)
  await noteNumber(trx, row, problem, now)
  return true
}
