import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import { SmsError, SmsHeld } from '../../../platform/channels/sms/channel.ts'
import { type Across, type Live, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import { takeTurn, turnTaken } from '../../../platform/database/throttle.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { type Kind, type Piece, Postponed } from '../../../platform/queue/piece.ts'
import { mostRetries } from '../rules/send-order.ts'
import { leaveInDoubt, saidTwice } from './again.ts'
import { enterSend } from './enter-send.ts'
import { finishSends } from './finish.ts'
import { hold, holding, releaseHeld } from './held.ts'
import { putInNotices } from './notices.ts'
import { outId } from './out-id.ts'
import { lackOf } from './receivers.ts'
import { isSpare } from './spare.ts'

declare module '../../../platform/queue/piece.ts' {
  interface WorkKinds {
    /** A sending that goes out; its id is the key. */
    'sms.send': Record<string, never>
  }
}

declare module '../../../platform/http/server/extensions.ts' {
  interface Extensions {
    /** Calls off those of a sending that are of no use any more, before they go out. */
    callOffOver: (app: FastifyInstance, sendId: string) => Promise<void>
  }
}

/** Messages taken at a time, and how many are under way together. */
const batch = 50
const together = 5
/** Messages of one sending that go out before another sending has its turn. */
const portion = 500
/** Milliseconds after which a message that is under way is asked about: whoever sent it is gone. */
const lost = 60_000
/** Milliseconds until a message in doubt is looked at again, and a sending that waits to be paid. */
const again = 5000
/** Milliseconds by which a message is put off that its channel cannot send now, time after time; then it has failed. */
const putOffs = [60_000, 5 * 60_000, 30 * 60_000] as const
/** Milliseconds until a message is tried again that no account can send before somebody has mended its settings, and for how long. */
const mending = { again: 5 * 60_000, most: 24 * 3_600_000 }
/** A sending is not given up because servers end in the middle of it, or the database is away for a while. */
const mostTries = 50

interface Taken {
  id: string
  phone: string
  params: unknown
  retryNum: number | null
  tryNum: number | null
  tenantId: string
  smsCode: string
  templateContent: string
  phoneHash: string | null
  /** The message of the inbox that it says, too. */
  messageId: string | null
  /** When it was to go out next, where it was put off. */
  goAt: Date | null
  /** When it was let go once more by another account. */
  againTime: Date | null
  /** When its sending began. */
  begun: Date | null
  /** The exam that it is for, and how many text messages that may have. */
  examId: string | null
  textMost: number | null
}

type Sending = Piece<'sms.send'>

/** The sendings of all tenants: one queue has the messages of all. */
const across = (app: FastifyInstance): Across => liveAcross(app, app)

const laterBy = (app: FastifyInstance, milliseconds: number): Date => new Date(app.now().getTime() + milliseconds)

/**
 * Begins a sending whose planned time has come.
 * @returns false for one that is not to go out (any more)
 * @throws Postponed for one that is still to be paid
 */
async function begin(app: FastifyInstance, piece: Sending, sendId: string): Promise<boolean> {
  const now = app.now()
  return liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const send = await trx
        .selectFrom('send')
        .select(['id', 'tenantId', 'sendStatus', 'planTime'])
        .where('id', '=', sendId)
        .forNoKeyUpdate()
        .executeTakeFirst()
      await piece.hold(trx)
      if (!send) return false
      if (send.sendStatus === SendStatus.sending) return true
      if (send.sendStatus === SendStatus.unpaid && send.planTime) throw new Postponed(laterBy(app, again))
      if (send.sendStatus !== SendStatus.queued || !send.planTime) return false
      if (send.planTime > now) throw new Postponed(send.planTime)
      await trx
        .updateTable('send')
        .set(eb => ({ sendStatus: SendStatus.sending, sendTime: now, version: eb('version', '+', 1) }))
        .where('id', '=', sendId)
        .execute()
      await putInNotices(trx, send.tenantId, [sendId], now)
      return true
    })
}

/**
 * Sends what is left of a sending. A message is marked before the channel is called, and of several processes one gets it; what a
 * dead process left behind is asked about, not sent again.
 * @throws Postponed when others shall have their turn, or when messages are in doubt that are to be asked about later
 */
async function goOut(app: FastifyInstance, piece: Sending): Promise<string> {
  const sendId = piece.key ?? ''
  if (!(await begin(app, piece, sendId))) return 'over'
  await releaseHeld(app, sendId)
  let count = 0
  for (;;) {
    const before = count
    await askLost(app, sendId)
    for (let taken = await takeUseful(app, sendId); taken.length > 0; taken = await takeUseful(app, sendId)) {
      await sendAll(app, taken, piece.signal)
      piece.signal.throwIfAborted()
      count += taken.length
      if (count < portion) continue
      await across(app)
        .transaction()
        .execute(trx => finishSends(trx, app.now(), sendId))
      throw new Postponed(app.now())
    }
    const until = await end(app, piece, sendId, count)
    if (until === 'ended') return `${count}`
    if (until !== 'more') throw new Postponed(until)
    // Messages wait that cannot be taken at the moment.
    if (count === before) throw new Postponed(laterBy(app, again))
  }
}

/** Sends messages that were taken, a few together. When the work is to stop, those that nobody has begun wait again. */
async function sendAll(app: FastifyInstance, taken: readonly Taken[], signal: AbortSignal): Promise<void> {
  const queue = [...taken]
  const worker = async () => {
    for (let next = queue.shift(); next; next = queue.shift())
      if (signal.aborted) await settle(app, next.id, MsgStatus.queued, {})
      else await sendOne(app, next)
  }
  await Promise.all(Array.from({ length: together }, worker))
}

/**
 * Ends the piece of a sending with nothing left, in the transaction in which the sending is counted; messages that are to be tried
 * again are entered under the same lock.
 * @returns `more` when messages wait, a time when some are in doubt until then
 */
async function end(
  app: FastifyInstance,
  piece: Sending,
  sendId: string,
  count: number,
): Promise<'ended' | 'more' | Date> {
  return across(app)
    .transaction()
    .execute(async trx => {
      await trx.selectFrom('send').select('id').where('id', '=', sendId).forNoKeyUpdate().execute()
      await finishSends(trx, app.now(), sendId)
      const now = app.now()
      const { queued, goAt, sendTime, held } = await trx
        .selectFrom('sendmessage')
        .select(({ fn, eb }) => [
          fn
            .countAll<string>()
            .filterWhere('msgStatus', '=', MsgStatus.queued)
            .filterWhere(eb.or([eb('goAt', 'is', null), eb('goAt', '<=', now)]))
            .as('queued'),
          fn.min('goAt').filterWhere('msgStatus', '=', MsgStatus.queued).as('goAt'),
          fn.min('sendTime').filterWhere('msgStatus', '=', MsgStatus.sending).as('sendTime'),
          fn.countAll<string>().filterWhere('msgStatus', '=', MsgStatus.held).as('held'),
        ])
        .where('sendId', '=', sendId)
        .where('msgStatus', 'in', [MsgStatus.queued, MsgStatus.sending, MsgStatus.held])
        .executeTakeFirstOrThrow()
      if (Number(queued) > 0) return 'more'
      const asked = sendTime && new Date(Math.max(sendTime.getTime() + lost + 1, laterBy(app, again).getTime()))
      const released = Number(held) > 0 ? laterBy(app, holding) : null
      const [next] = [goAt, asked, released].filter(one => one !== null).toSorted((a, b) => a.getTime() - b.getTime())
      if (next) return next
      await piece.end(trx, `${count}`)
      return 'ended'
    })
}

/** Sendings as work of the queue. */
export const sendKind = (app: FastifyInstance): Kind<'sms.send'> => ({
  kind: 'sms.send',
  lane: 'sms',
  mostTries,
  pause: again,
  perform: piece => goOut(app, piece),
})

/** {@link take}, but for those that are of no use any more. */
async function takeUseful(app: FastifyInstance, sendId: string): Promise<Taken[]> {
  await app.extensions.callOffOver(app, sendId)
  return take(app, sendId)
}

async function take(app: FastifyInstance, sendId: string): Promise<Taken[]> {
  const db = across(app)
  const next = db
    .selectFrom('sendmessage as w')
    .innerJoin('send as o', 'o.id', 'w.sendId')
    .select('w.id')
    .where('w.sendId', '=', sendId)
    .where('w.msgStatus', '=', MsgStatus.queued)
    .where('o.sendStatus', '=', SendStatus.sending)
    .where(eb => eb.or([eb('w.goAt', 'is', null), eb('w.goAt', '<=', app.now())]))
    .orderBy('w.id')
    .limit(batch)
    .forNoKeyUpdate('w')
    .skipLocked()
  const rows = await db
    .updateTable('sendmessage as m')
    .from('send as s')
    .innerJoin(withRemoved('sms as t'), 't.id', 's.templateId')
    .leftJoin(withRemoved('examination as e'), 'e.id', 's.examId')
    .set({ msgStatus: MsgStatus.sending, sendTime: app.now() })
    .whereRef('s.id', '=', 'm.sendId')
    .where('m.id', 'in', next)
    .returning([
      'm.phoneHash',
      'm.messageId',
      'm.goAt',
      'm.id',
      'm.phone',
      'm.params',
      'm.retryNum',
      'm.tryNum',
      'm.tenantId',
      'm.againTime',
    ])
    .returning(['t.smsCode', 't.templateContent', 's.sendTime as begun', 's.examId', 'e.textMost'])
    .execute()
  return rows
}

/** Text messages of events to one number: one in as many seconds, and so many in a day. Codes are counted apart. */
const perNumber = { seconds: 60, perDay: 10 } as const

/** When the number of a message has its turn. What is sent by hand waits for nobody. */
async function turnOf(app: FastifyInstance, { id, phoneHash, messageId, goAt }: Taken): Promise<Date> {
  const now = app.now()
  if (messageId === null || phoneHash === null) return now
  const turn = { at: `sms:text:${phoneHash}`, owner: id, ...perNumber }
  const taken = goAt === null ? null : await turnTaken(app, turn)
  return taken !== null && taken.getTime() === goAt?.getTime() ? now : takeTurn(app, turn, now, taken !== null)
}

async function sendOne(app: FastifyInstance, taken: Taken): Promise<void> {
  const { id, phone, params, tenantId, smsCode, tryNum, retryNum, againTime, examId, textMost } = taken
  const message = { id: outId(taken), tenantId, smsCode, params: (params ?? {}) as Record<string, string> }
  const lack = lackOf(taken, message.params)
  if (lack !== undefined) return settle(app, id, MsgStatus.failed, { errMsg: lack })
  const turn = await turnOf(app, taken)
  if (turn > app.now()) return settle(app, id, MsgStatus.queued, { goAt: turn })
  try {
    const { bizNo } = await app.sms.send({
      ...message,
      phone: app.vault.open(phone),
      putOff: tryNum ?? 0,
      isSpare: isSpare(smsCode),
      ...(examId !== null && { budget: { ownerId: examId, most: textMost } }),
      ...(againTime !== null && { doubtfulId: outId({ id, retryNum: (retryNum ?? 0) - 1 }) }),
    })
    await settle(app, taken.id, MsgStatus.sent, { bizNo, errMsg: againTime === null ? null : saidTwice })
  } catch (error) {
    // Nothing is known of it: the next run asks before anything is sent again.
    if (!(error instanceof SmsError) || error.fault === 'unknown')
      return app.log.warn({ err: error }, 'a message is in doubt')
    const errMsg = error.message.slice(0, 255)
    if (error instanceof SmsHeld) return hold(app, taken, errMsg)
    const goAt = nextTry(app, taken, error)
    if (goAt === null) return settle(app, taken.id, MsgStatus.failed, { errMsg })
    // One that no account was handed has not been tried.
    const isTry = error.fault === 'later' && error.until === null
    await settle(app, taken.id, MsgStatus.queued, { errMsg, goAt, tryNum: (tryNum ?? 0) + (isTry ? 1 : 0) })
  }
}

/** When a message that surely did not go out is tried again; null when it is not. */
function nextTry(app: FastifyInstance, { tryNum, begun }: Taken, { fault, until }: SmsError): Date | null {
  if (fault === 'final') return null
  if (fault === 'settings' || until) {
    const isOver = begun !== null && app.now().getTime() - begun.getTime() > mending.most
    return isOver ? null : (until ?? laterBy(app, mending.again))
  }
  const pause = putOffs[tryNum ?? 0]
  return pause === undefined ? null : laterBy(app, pause)
}

type To = (typeof MsgStatus)['sent' | 'failed' | 'queued']

async function settle(
  app: FastifyInstance,
  id: string,
  msgStatus: To,
  changes: { bizNo?: string; errMsg?: string | null; goAt?: Date; tryNum?: number },
): Promise<void> {
  await across(app)
    .updateTable('sendmessage')
    .set({ ...changes, msgStatus, ...(msgStatus === MsgStatus.sent && { reportTime: app.now() }) })
    .where('id', '=', id)
    .where('msgStatus', '=', MsgStatus.sending)
    .execute()
}

/** Asks about messages whose sender ended: sent ones are done, ones the channel never had wait again. */
async function askLost(app: FastifyInstance, sendId: string): Promise<void> {
  const rows = await across(app)
    .selectFrom('sendmessage')
    .select(['id', 'retryNum'])
    .where('sendId', '=', sendId)
    .where('msgStatus', '=', MsgStatus.sending)
    .where('sendTime', '<', new Date(app.now().getTime() - lost))
    .orderBy('id')
    .limit(500)
    .execute()
  for (const row of rows) {
    const state = await app.sms.query(outId(row)).catch(() => null)
    if (state === 'taken' || state === 'arrived') await settle(app, row.id, MsgStatus.sent, {})
    if (state === 'failed') await settle(app, row.id, MsgStatus.failed, { errMsg: '渠道回执失败' })
    if (state === 'never') await settle(app, row.id, MsgStatus.queued, {})
    if (state === 'cannot') await leaveInDoubt(app, row)
  }
}

/**
 * Nothing is tried again when one person has done it for all of these before.
 * @returns 0
 * @throws row.wrongState otherwise
 */
async function ownRetries(trx: Live, person: Pick<Person, 'userId'>, ids: readonly string[]): Promise<0> {
  const rows = await trx
    .selectFrom(withRemoved('sendmessage as m'))
    .selectAll('m')
    .where('m.id', 'in', [...ids])
    .execute()
  const isAgain = (row: (typeof rows)[number]) => (row.retryNum ?? 0) > 0 && row.msgStatus !== MsgStatus.failed
  if (rows.every(row => isOwnRepeat(row, isAgain(row), person))) return 0
  throw refuse('row.wrongState')
}

/**
 * Tries messages that failed again, at most three times each, without charging them twice. Whoever has an account by
 * now is sent a notice.
 * @param reason why, as it is kept with each
 * @throws row.wrongState when none of them can be tried again
 */
export async function resend(
  app: FastifyInstance,
  person: Pick<Person, 'tenantId' | 'userId'>,
  ids: readonly string[],
  reason: string,
): Promise<number> {
  const now = app.now()
  return liveAs(app, person)
    .transaction()
    .execute(async trx => {
      const sends = await trx
        .selectFrom('send')
        .select('id')
        .where('sendStatus', 'in', [SendStatus.sending, SendStatus.partlyFailed])
        .where('id', 'in', eb =>
          eb
            .selectFrom('sendmessage')
            .select('sendId')
            .where('id', 'in', [...ids]),
        )
        .orderBy('id')
        .forNoKeyUpdate()
        .execute()
      if (sends.length === 0) return ownRetries(trx, person, ids)
      const retried = await trx
        .updateTable('sendmessage')
        .set({
          msgStatus: MsgStatus.queued,
          tryNum: null,
          goAt: null,
          retryNum: sql<number>`coalesce("retryNum", 0) + 1`,
          resendReason: reason,
          resendUser: person.userId,
        })
        .where('id', 'in', [...ids])
        .where(
          'sendId',
          'in',
          sends.map(one => one.id),
        )
        .where('msgStatus', '=', MsgStatus.failed)
        .where(sql<boolean>`coalesce("retryNum", 0) < ${mostRetries}`)
        .returning('sendId')
        .execute()
      if (retried.length === 0) return ownRetries(trx, person, ids)
      const begun = [...new Set(retried.map(row => row.sendId))]
      // Who let the sending go out stays who changed it last.
      await liveFor(trx, { tenantId: person.tenantId, userId: null, now: () => now })
        .updateTable('send')
        .set(eb => ({ sendStatus: SendStatus.sending, version: eb('version', '+', 1) }))
        .where('id', 'in', begun)
        .execute()
      await putInNotices(trx, person.tenantId, begun, now)
      for (const sendId of begun) await enterSend(app, trx, { sendId, tenantId: person.tenantId, runAt: now })
      return retried.length
    })
}
