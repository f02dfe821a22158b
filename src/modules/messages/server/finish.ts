import { sendEvents } from '#resources/messages/events'
import { MsgStatus, SendStatus, SendType } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import type { AcrossTrx } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'

/**
 * Counts the sendings that run; those with nothing left are over. Whoever has had one go out to several people is told.
 * @param sendId only this one
 */
export async function finishSends(db: AcrossTrx, now: Date, sendId?: string): Promise<void> {
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
      fn
        .countAll<number>()
        .filterWhere('m.msgStatus', 'in', [MsgStatus.queued, MsgStatus.sending, MsgStatus.held])
        .as('left'),
    ])
    .as('c')
  const counts = await db
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
    .returning(['s.id', 's.tenantId', 's.examId', 's.title', 's.successNum', 's.failNum', 's.num'])
    .returning(['s.createUser', 's.sendType', 's.sendStatus'])
    .execute()
  const told = counts.filter(
    ({ createUser, sendType, sendStatus, num }) =>
      createUser !== null && sendType !== SendType.inbox && sendStatus !== SendStatus.sending && Number(num) > 1,
  )
  for (const send of told) await emit(programOf(db, send, now), sendEvents.finished, [send])
}
