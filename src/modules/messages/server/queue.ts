import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { MsgStatus, SendStatus } from '#schemas/dictionaries'
import type { SmsRow } from '../../../platform/auth/server/sms/template.ts'
import { SmsError } from '../../../platform/channels/sms/channel.ts'
import { type Across, type Live, liveAcross, liveFor, withRemoved } from '../../../platform/database/live.ts'
import type { Person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isOwnRepeat } from '../../../platform/http/server/repeated.ts'
import { mostRetries } from '../rules/send-order.ts'
import { finishSends } from './finish.ts'
import { putInNotices } from './notices.ts'

/** Messages taken at a time, and how many are under way together. */
const batch = 50
const together = 5
/** Milliseconds after which a message that is under way is asked about: whoever sent it is gone. */
const lost = 60_000

interface Taken {
  id: string
  phone: string
  params: unknown
  content: string
  retryNum: number | null
  template: Pick<SmsRow, 'templateId' | 'signName'> & { smsId: string }
}

/** The number a message goes out under; each try has its own, so that a retry is not taken for a repetition. */
const outId = ({ id, retryNum }: { id: string; retryNum: number | null }): string => `${id}-${retryNum ?? 0}`

/**
 * Sends what is due. A message is marked before the channel is called, and of several processes one gets it; what a dead process
 * left behind is asked about, not sent again.
 * @returns how many went out or failed
 */
export async function runQueue(app: FastifyInstance): Promise<number> {
  await startPlanned(app)
  await askLost(app)
  let count = 0
  for (let taken = await take(app); taken.length > 0; taken = await take(app)) {
    const queue = [...taken]
    const worker = async () => {
      for (let next = queue.shift(); next; next = queue.shift()) await sendOne(app, next)
    }
    await Promise.all(Array.from({ length: together }, worker))
    count += taken.length
  }
  await finishSends(across(app))
  return count
}

/** The sendings of all tenants: one queue has the messages of all. */
const across = (app: FastifyInstance): Across => liveAcross(app, app)

async function startPlanned(app: FastifyInstance): Promise<void> {
  const now = app.now()
  await liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const due = await trx
        .updateTable('send')
        .set(eb => ({ sendStatus: SendStatus.sending, sendTime: now, version: eb('version', '+', 1) }))
        .where('sendStatus', '=', SendStatus.queued)
        .where('planTime', '<=', now)
        .returning(['id', 'tenantId'])
        .execute()
      for (const tenantId of new Set(due.map(row => row.tenantId))) {
        const own = due.filter(row => row.tenantId === tenantId).map(row => row.id)
        await putInNotices(trx, tenantId, own, now)
      }
    })
}

async function take(app: FastifyInstance): Promise<Taken[]> {
  const db = across(app)
  const next = db
    .selectFrom('sendmessage as w')
    .innerJoin('send as o', 'o.id', 'w.sendId')
    .select('w.id')
    .where('w.msgStatus', '=', MsgStatus.queued)
    .where('o.sendStatus', '=', SendStatus.sending)
    .orderBy('w.id')
    .limit(batch)
    .forNoKeyUpdate('w')
    .skipLocked()
  const rows = await db
    .updateTable('sendmessage as m')
    .from('send as s')
    .innerJoin(withRemoved('sms as t'), 't.id', 's.templateId')
    .set({ msgStatus: MsgStatus.sending, sendTime: app.now() })
    .whereRef('s.id', '=', 'm.sendId')
    .where('m.id', 'in', next)
    .returning(['m.id', 'm.phone', 'm.params', 'm.content', 'm.retryNum'])
    .returning(['t.id as smsId', 't.templateId', 't.signName'])
    .execute()
  return rows.map(({ smsId, templateId, signName, ...row }) => ({ ...row, template: { smsId, templateId, signName } }))
}

async function sendOne(app: FastifyInstance, taken: Taken): Promise<void> {
  const { phone, params, content, template } = taken
  try {
    const message = { phone: app.vault.open(phone), params: (params ?? {}) as Record<string, string>, content }
    const { bizNo } = await app.sms.send({ id: outId(taken), ...message, ...template })
    await settle(app, taken.id, MsgStatus.sent, { bizNo, errMsg: null })
  } catch (error) {
    // Nothing is known of it: the next run asks before anything is sent again.
    if (!(error instanceof SmsError) || !error.final) return app.log.warn({ err: error }, 'a message is in doubt')
    await settle(app, taken.id, MsgStatus.failed, { errMsg: error.message.slice(0, 255) })
  }
}

type To = (typeof MsgStatus)['sent' | 'failed' | 'queued']

async function settle(
  app: FastifyInstance,
  id: string,
  msgStatus: To,
  changes: { bizNo?: string; errMsg?: string | null },
): Promise<void> {
  await across(app)
    .updateTable('sendmessage')
    .set({ ...changes, msgStatus, ...(msgStatus === MsgStatus.sent && { reportTime: app.now() }) })
    .where('id', '=', id)
    .where('msgStatus', '=', MsgStatus.sending)
    .execute()
}

/** Asks about messages whose sender ended: sent ones are done, ones the channel never had wait again. */
async function askLost(app: FastifyInstance): Promise<void> {
  const rows = await across(app)
    .selectFrom('sendmessage')
    .select(['id', 'retryNum'])
    .where('msgStatus', '=', MsgStatus.sending)
    .where('sendTime', '<', new Date(app.now().getTime() - lost))
    .orderBy('id')
    .limit(500)
    .execute()
  for (const row of rows) {
    const state = await app.sms.query(outId(row)).catch(() => null)
    if (state === 'sent') await settle(app, row.id, MsgStatus.sent, {})
    if (state === 'failed') await settle(app, row.id, MsgStatus.failed, { errMsg: '渠道回执失败' })
    if (state === 'unknown') await settle(app, row.id, MsgStatus.queued, {})
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
 * @throws row.wrongState when none of them can be tried again
 */
export async function resend(
  app: FastifyInstance,
  person: Pick<Person, 'tenantId' | 'userId'>,
  ids: readonly string[],
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
      const again = await trx
        .updateTable('sendmessage')
        .set({
          msgStatus: MsgStatus.queued,
          retryNum: sql<number>`coalesce("retryNum", 0) + 1`,
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
      if (again.length === 0) return ownRetries(trx, person, ids)
      const begun = [...new Set(again.map(row => row.sendId))]
      // Who let the sending go out stays who changed it last.
      await liveFor(trx, { tenantId: person.tenantId, userId: null, now: () => now })
        .updateTable('send')
        .set(eb => ({ sendStatus: SendStatus.sending, version: eb('version', '+', 1) }))
        .where('id', 'in', begun)
        .execute()
      await putInNotices(trx, person.tenantId, begun, now)
      return again.length
    })
}
