import type { FastifyInstance } from 'fastify'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { liveAcross } from '../../../../platform/database/live.ts'

/** Number of a message and of its try, as the queue sends it. */
const outId = /^(\d+)-(\d+)$/

/** Marks a message that went out and did not arrive; its sending is then no longer wholly done. */
async function markFailed(app: FastifyInstance, id: string, retryNum: string, problem: string): Promise<void> {
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      const message = await trx
        .updateTable('sendmessage')
        .set({ msgStatus: MsgStatus.failed, errMsg: problem.slice(0, 255) })
        .where('id', '=', id)
        .where('msgStatus', '=', MsgStatus.sent)
        .where(eb => eb(eb.fn.coalesce('retryNum', eb.lit(0)), '=', Number(retryNum)))
        .returning('sendId')
        .executeTakeFirst()
      if (!message) return
      await trx
        .updateTable('send')
        .set(eb => ({
          successNum: eb.fn<number>('greatest', [eb('successNum', '-', 1), eb.lit(0)]),
          failNum: eb('failNum', '+', 1),
          version: eb('version', '+', 1),
          sendStatus: eb
            .case()
            .when('sendStatus', '=', SendStatus.done)
            .then(eb.lit(SendStatus.partlyFailed))
            .else(eb.ref('sendStatus'))
            .end(),
        }))
        .where('id', '=', message.sendId)
        .execute()
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
