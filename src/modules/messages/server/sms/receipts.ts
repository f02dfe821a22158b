import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'

/** Number of a message and of its try, as the queue sends it. */
const outId = /^(\d+)-(\d+)$/

/** Marks a message that went out and did not arrive; its sending is then no longer wholly done. */
async function markFailed({ db, now }: FastifyInstance, id: string, retryNum: string, problem: string): Promise<void> {
  await db.transaction().execute(async trx => {
    const message = await trx
      .updateTable('sendmessage')
      .set({ msgStatus: MsgStatus.failed, errMsg: problem.slice(0, 255), updateTime: now() })
      .where('id', '=', id)
      .where('msgStatus', '=', MsgStatus.sent)
      .where(sql<boolean>`coalesce("retryNum", 0) = ${Number(retryNum)}`)
      .returning('sendId')
      .executeTakeFirst()
    if (!message) return
    await sql`
      UPDATE send SET "successNum" = greatest("successNum" - 1, 0), "failNum" = "failNum" + 1, version = version + 1,
        "updateTime" = ${now()}, "sendStatus" = CASE "sendStatus" WHEN ${SendStatus.done}::int
        THEN ${SendStatus.partlyFailed}::int ELSE "sendStatus" END
      WHERE id = ${message.sendId}`.execute(trx)
  })
}

/**
 * Takes in what providers say of messages that went out: those that did not arrive are failures after all, with the reason, and
 * may be sent again.
 * @returns how many did not arrive
 */
export async function takeReceipts(app: FastifyInstance): Promise<number> {
  let failed = 0
  for (const { id, problem } of await app.sms.receipts()) {
    const [, message, retry] = outId.exec(id) ?? []
    if (problem === null || !message || !retry) continue
    await markFailed(app, message, retry, problem)
    failed++
  }
  return failed
}
