import type { FastifyInstance } from 'fastify'
import { domainEvents } from '#resources/events'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { type LiveTrx, liveAcross, withRemoved } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import type { Kind, Piece } from '../../../platform/queue/piece.ts'
import { enterSend } from './enter-send.ts'
import { outId } from './out-id.ts'
import { eventNameOf } from './text-codes.ts'

// A message of which nobody can tell whether it arrived is not repeated. What people must be told of is an exception: there a double is
// the smaller harm, so it goes once more after a while, by another account and under another number.

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A message of which nobody can tell and of which people must be told, as it was tried then; its id is the key. */
    'sms.again': { readonly retryNum: number }
  }
}

/** Milliseconds after which one that people must be told of goes once more. */
const pause = 10 * 60_000
/** Said of a message of which nobody can ever tell. */
const untold = '结果不明：服务商没有应答，也查不到；对方可能已收到，重发前请核实'
/** Said of one that goes once more. */
export const saidTwice = '首次发送结果不明，由备用通道再发一次，对方可能收到两条'

/** A message in doubt, as it was tried. */
interface Doubtful {
  readonly id: string
  readonly retryNum: number | null
}

/** Leaves a message that is under way as one of which nobody can tell. What people must be told of is looked at again after a while. */
export async function leaveInDoubt(app: FastifyInstance, { id, retryNum }: Doubtful): Promise<void> {
  await liveAcross(app, app)
    .transaction()
    .execute(async trx => {
      const left = await trx
        .updateTable('sendmessage')
        .set({ msgStatus: MsgStatus.failed, errMsg: untold })
        .where('id', '=', id)
        .where('msgStatus', '=', MsgStatus.sending)
        .returning(['sendId', 'tenantId', 'messageId', 'againTime'])
        .executeTakeFirst()
      if (!left || left.messageId === null || left.againTime !== null) return
      const { tenantId } = left
      const code = await codeOf(programOf(trx, { tenantId }, app.now()), left.sendId)
      if (code === undefined || domainEvents.get(eventNameOf(code))?.by?.sms !== 'must') return
      const runAt = new Date(app.now().getTime() + pause)
      await app.queue.enter(trx, {
        kind: 'sms.again',
        key: id,
        tenantId,
        runAt,
        payload: { retryNum: retryNum ?? 0 },
      })
    })
}

/** The code of the template that a sending has. */
const codeOf = async (db: LiveTrx, sendId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('send')
      .innerJoin(withRemoved('sms'), 'sms.id', 'send.templateId')
      .select('sms.smsCode')
      .where('send.id', '=', sendId)
      .executeTakeFirst()
  )?.smsCode

/** Whether what a message says still concerns its person. */
async function concerns(db: LiveTrx, messageId: string, now: Date): Promise<boolean> {
  const message = await db
    .selectFrom('message')
    .select(['doneTime', 'until'])
    .where('id', '=', messageId)
    .executeTakeFirst()
  return message !== undefined && message.doneTime === null && (message.until === null || message.until > now)
}

/** Lets a message in doubt go once more, unless something has become known of it, or of what it says. */
async function goAgain(app: FastifyInstance, piece: Piece<'sms.again'>): Promise<string> {
  const { retryNum } = piece.payload
  const [id, now] = [piece.key ?? '', app.now()]
  const doubtfulId = outId({ id, retryNum })
  return liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const db = programOf(trx, piece, now)
      const message = await db
        .selectFrom('sendmessage')
        .innerJoin('send', 'send.id', 'sendmessage.sendId')
        .select(['sendId', 'messageId'])
        .where('sendmessage.id', '=', id)
        .forNoKeyUpdate('send')
        .executeTakeFirst()
      await piece.end(trx)
      const smsCode = message && (await codeOf(db, message.sendId))
      if (!smsCode || !(await concerns(db, message.messageId ?? '', now))) return 'over'
      if (!(await app.sms.hasReserve({ tenantId: piece.tenantId, smsCode, doubtfulId }))) return 'no reserve'
      // A receipt that says what became of it has changed its state, or the entry of the ledger.
      const { numUpdatedRows } = await db
        .updateTable('sendmessage')
        .set({
          msgStatus: MsgStatus.queued,
          retryNum: retryNum + 1,
          tryNum: null,
          goAt: null,
          againTime: now,
          errMsg: saidTwice,
        })
        .where('id', '=', id)
        .where('msgStatus', '=', MsgStatus.failed)
        .where(eb => eb(eb.fn.coalesce('retryNum', eb.lit(0)), '=', retryNum))
        .where('againTime', 'is', null)
        .where(eb =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('sms_sent')
                .select('sms_sent.id')
                .where('sms_sent.id', '=', doubtfulId)
                .where('told', '=', true),
            ),
          ),
        )
        .executeTakeFirstOrThrow()
      if (numUpdatedRows === 0n) return 'over'
      await db
        .updateTable('send')
        .set(eb => ({ sendStatus: SendStatus.sending, version: eb('version', '+', 1) }))
        .where('id', '=', message.sendId)
        .execute()
      await enterSend(app, trx, { sendId: message.sendId, tenantId: piece.tenantId, runAt: now })
      app.journal.note('warn', 'sms.again', { tenantId: piece.tenantId, message: id, before: doubtfulId })
      return 'again'
    })
}

/** Messages in doubt as work of the queue. */
export const againKind = (app: FastifyInstance): Kind<'sms.again'> => ({
  kind: 'sms.again',
  lane: 'sms',
  mostTries: 10,
  perform: piece => goAgain(app, piece),
})
