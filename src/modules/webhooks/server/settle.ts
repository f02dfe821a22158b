import type { FastifyInstance } from 'fastify'
import { hookEvents } from '#resources/webhooks/events'
import { hook as hookResource } from '#resources/webhooks/hook'
import { HookDeliveryStatus, HookStatus } from '#schemas/dictionaries'
import { emit } from '../../../crud/emit.ts'
import { makeTransition, programUser } from '../../../crud/transition.ts'
import { type AcrossTrx, type LiveTrx, liveAcross, updateUnstamped } from '../../../platform/database/live.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { askedWait, patience, waitAfter } from '../rules/waits.ts'
import type { Claimed } from './claim.ts'
import type { Outcome } from './send.ts'

const { waiting, sending, delivered, givenUp } = HookDeliveryStatus

const isTaken = ({ httpStatus }: Outcome): boolean => httpStatus !== null && httpStatus >= 200 && httpStatus < 300

/** What becomes of a delivery after a try. */
function next({ waits }: Claimed['delivery'], outcome: Outcome, now: Date) {
  if (isTaken(outcome)) return { deliveryStatus: delivered, doneTime: now }
  if (outcome.httpStatus === 410) return { deliveryStatus: givenUp, doneTime: now }
  const isAsked = outcome.httpStatus === 429 || outcome.httpStatus === 503
  const asked = isAsked ? askedWait(outcome.retryAfter, now) : null
  if (asked !== null) return { deliveryStatus: waiting, goAt: new Date(now.getTime() + asked) }
  const wait = waitAfter(waits, Math.random())
  return wait === null
    ? { deliveryStatus: givenUp, doneTime: now }
    : { deliveryStatus: waiting, goAt: new Date(now.getTime() + wait), waits: waits + 1 }
}

/** Switches a hook off, and tells its administrators. */
async function switchOff(app: FastifyInstance, trx: LiveTrx, { id, tenantId }: Claimed['hook'], reason: string) {
  const making = { app, trx, caller: { userId: programUser, tenantId }, now: app.now() }
  const { rows } = await makeTransition(making, hookResource, 'switchOff', [id], { reason })
  await emit(trx, hookEvents.disabled, rows)
  app.log.warn({ tenantId, hookId: id, reason }, 'a webhook is switched off')
}

/** Notes at a hook how it goes: since when nothing was accepted, and that it is switched off when that lasts. */
async function follow(app: FastifyInstance, trx: LiveTrx, locked: Locked, outcome: Outcome, now: Date): Promise<void> {
  const { id, failSince, hookStatus } = locked
  if (isTaken(outcome)) {
    if (failSince) await updateUnstamped(trx, 'hook').set({ failSince: null }).where('id', '=', id).execute()
    return
  }
  if (!failSince) await updateUnstamped(trx, 'hook').set({ failSince: now }).where('id', '=', id).execute()
  if (hookStatus !== HookStatus.enabled) return
  if (outcome.httpStatus === 410) return switchOff(app, trx, locked, '接收方回应410，不再接收')
  if (failSince && now.getTime() - failSince.getTime() >= patience)
    return switchOff(app, trx, locked, '连续5天没有送达')
}

type Locked = Claimed['hook']

const lockedHook = (trx: AcrossTrx, id: string): Promise<Locked | undefined> =>
  trx.selectFrom('hook').selectAll().where('id', '=', id).forNoKeyUpdate().executeTakeFirst()

/** Keeps what became of a try, unless another process has the delivery by now. */
export async function settle(app: FastifyInstance, { delivery, hook }: Claimed, outcome: Outcome): Promise<void> {
  const now = app.now()
  await liveAcross(app, { now: () => now })
    .transaction()
    .execute(async across => {
      const locked = await lockedHook(across, hook.id)
      if (!locked) return
      const trx = programOf(across, hook, now)
      const { httpStatus, ms, answer } = outcome
      const { numUpdatedRows } = await updateUnstamped(trx, 'hookdelivery')
        .set({ httpStatus, ms, answer, leaseUntil: null, ...next(delivery, outcome, now) })
        .where('id', '=', delivery.id)
        .where('deliveryStatus', '=', sending)
        .where('tries', '=', delivery.tries)
        .executeTakeFirstOrThrow()
      if (numUpdatedRows > 0n) await follow(app, trx, locked, outcome, now)
    })
}

/** Gives a delivery back that this process has no time for any more. */
export async function giveBack(app: FastifyInstance, { delivery, hook }: Claimed): Promise<void> {
  await updateUnstamped(liveAcross(app, app), 'hookdelivery')
    .set({ deliveryStatus: waiting, leaseUntil: null })
    .where('id', '=', delivery.id)
    .where('hookId', '=', hook.id)
    .where('deliveryStatus', '=', sending)
    .where('tries', '=', delivery.tries)
    .execute()
}
