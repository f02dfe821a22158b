import type { FastifyInstance } from 'fastify'
import { examinationEvents } from '#resources/exams/events'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { emitOnce } from '../../../crud/emit.ts'
import { partOf } from '../../../platform/channels/sms/sms-budget.ts'
import { type Live, type LiveTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { enterSend } from './enter-send.ts'
import { isSpare } from './spare.ts'

// An exam may have a limit for its text messages. What is beyond it is held, and goes on when the limit is raised.

/** Milliseconds until held messages are looked at again; at once when their exam may have more. */
export const holding = 10 * 60_000

/** Tells whoever runs an exam that messages of it are held, once for each limit. */
export async function tellHeld(db: LiveTrx, examId: string | null, textMost: number | null): Promise<void> {
  const exams = await db.selectFrom('examination').selectAll().where('id', '=', examId).execute()
  const once = `examination.textsHeld:${examId}:${textMost}`
  await emitOnce(db, examinationEvents.textsHeld, exams, () => once, { most: textMost ?? 0 })
}

/** A message that is held. */
interface Held {
  readonly id: string
  readonly tenantId: string
  readonly examId: string | null
  readonly textMost: number | null
}

/** Holds a message that is under way and was not handed to anybody; whoever runs its exam is told, once for each limit. */
export async function hold(
  app: FastifyInstance,
  { id, tenantId, examId, textMost }: Held,
  errMsg: string,
): Promise<void> {
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      await trx
        .updateTable('sendmessage')
        .set({ msgStatus: MsgStatus.held, errMsg, goAt: null })
        .where('id', '=', id)
        .where('msgStatus', '=', MsgStatus.sending)
        .execute()
      await tellHeld(programOf(trx, { tenantId }, app.now()), examId, textMost)
    })
}

/** Lets the messages of a sending go on that are held, where its exam may have more by now. */
export async function releaseHeld(app: FastifyInstance, sendId: string): Promise<void> {
  const db = liveAcross(app, app)
  const send = await db
    .selectFrom('send as s')
    .innerJoin(withRemoved('sms as t'), 't.id', 's.templateId')
    .innerJoin(withRemoved('examination as e'), 'e.id', 's.examId')
    .leftJoin('sms_budget as b', 'b.ownerId', 's.examId')
    .select(['t.smsCode', 'e.textMost', 'b.segments'])
    .where('s.id', '=', sendId)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('sendmessage as m')
          .select('m.id')
          .whereRef('m.sendId', '=', 's.id')
          .where('m.msgStatus', '=', MsgStatus.held),
      ),
    )
    .executeTakeFirst()
  if (!send) return
  const most = partOf(send.textMost, isSpare(send.smsCode))
  if (most !== null && (send.segments ?? 0) >= most) return
  await db
    .updateTable('sendmessage')
    .set({ msgStatus: MsgStatus.queued, errMsg: null })
    .where('sendId', '=', sendId)
    .where('msgStatus', '=', MsgStatus.held)
    .execute()
}

/** What an exam has used, and what of it is held. */
export async function textsOfExam(db: Live, examId: string): Promise<{ used: number; held: number }> {
  const [budget, { n }] = await Promise.all([
    db.selectFrom('sms_budget').select('segments').where('ownerId', '=', examId).executeTakeFirst(),
    db
      .selectFrom('sendmessage as m')
      .innerJoin('send as s', 's.id', 'm.sendId')
      .select(eb => eb.fn.countAll<string>().as('n'))
      .where('s.examId', '=', examId)
      .where('m.msgStatus', '=', MsgStatus.held)
      .executeTakeFirstOrThrow(),
  ])
  return { used: budget?.segments ?? 0, held: Number(n) }
}

/**
 * Lets sendings of an exam look at once whether what they hold may go on.
 * @param db the transaction in which the exam may have more
 */
export async function lookAtHeld(app: FastifyInstance, db: LiveTrx, tenantId: string, examId: string): Promise<void> {
  const sends = await db
    .selectFrom('send')
    .select('id')
    .where('examId', '=', examId)
    .where('sendStatus', '=', SendStatus.sending)
    .where('id', 'in', eb => eb.selectFrom('sendmessage').select('sendId').where('msgStatus', '=', MsgStatus.held))
    .orderBy('id')
    .execute()
  for (const { id } of sends) await enterSend(app, db, { sendId: id, tenantId, runAt: app.now() })
}
