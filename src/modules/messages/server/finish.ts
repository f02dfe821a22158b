import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import type { Across } from '../../../platform/database/live.ts'

/**
 * Counts the sendings that run; those with nothing left are over.
 * @param sendId only this one
 */
export async function finishSends(db: Across, sendId?: string): Promise<void> {
  const counted = db
    .selectFrom('sendmessage as m')
    .innerJoin('send as o', 'o.id', 'm.sendId')
    .where('o.sendStatus', '=', SendStatus.sending)
    .$if(sendId !== undefined, query => query.where('o.id', '=', sendId ?? ''))
    .groupBy('m.sendId')
    .select(({ fn }) => [
      'm.sendId',
      fn.countAll<number>().filterWhere('m.msgStatus', '=', MsgStatus.sent).as('sent'),
      fn.countAll<number>().filterWhere('m.msgStatus', '=', MsgStatus.failed).as('failed'),
      fn.countAll<number>().filterWhere('m.msgStatus', 'in', [MsgStatus.queued, MsgStatus.sending]).as('left'),
    ])
    .as('c')
  await db
    .updateTable('send as s')
    .from(counted)
    .set(eb => ({
      successNum: eb.ref('c.sent'),
      failNum: eb.ref('c.failed'),
      version: eb('s.version', '+', 1),
      sendStatus: eb
        .case()
        .when('c.left', '>', 0)
        .then(eb.ref('s.sendStatus'))
        .when('c.failed', '>', 0)
        .then(eb.lit(SendStatus.partlyFailed))
        .else(eb.lit(SendStatus.done))
        .end(),
    }))
    .whereRef('s.id', '=', 'c.sendId')
    .where('s.sendStatus', '=', SendStatus.sending)
    .execute()
}
