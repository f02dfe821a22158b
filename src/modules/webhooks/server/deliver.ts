import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { HookDeliveryStatus } from '#schemas/dictionaries'
import { liveAcross } from '../../../platform/database/live.ts'
import { type Claimed, claim } from './claim.ts'
import { send } from './send.ts'
import { giveBack, settle } from './settle.ts'

/** At once by one process. */
const mostOfProcess = 16
/** Milliseconds after which one looks again while others are under way. */
const look = 200
/** Days for which the log is kept. */
const keptDays = 90
/** Rows removed by one statement. */
const portion = 5000

/** Sends one and keeps what became of it. A process that ends gives back what was not answered: it may come a second time. */
async function deliver(app: FastifyInstance, claimed: Claimed, signal: AbortSignal | undefined): Promise<void> {
  const { messageId: id, body, isReplay } = claimed.delivery
  try {
    const outcome = await send(app, claimed.hook, { id, body, isReplay: isReplay === 1 }, signal)
    if (signal?.aborted && outcome.httpStatus === null) await giveBack(app, claimed)
    else await settle(app, claimed, outcome)
  } catch (err) {
    // Its lease ends, and it is sent again.
    app.log.error({ err, delivery: claimed.delivery.id }, 'what became of a webhook could not be kept')
  }
}

/**
 * Sends all that is due, whichever process does it: no two at once of one row, a few at once of one hook.
 * @param signal takes no more, and ends what is under way
 * @returns how many were sent
 */
export async function deliverDue(app: FastifyInstance, signal?: AbortSignal): Promise<number> {
  const under = new Set<Promise<void>>()
  let sent = 0
  while (!signal?.aborted) {
    // What ends while one looks may have made room for more.
    const isIdle = under.size === 0
    const claimed = under.size < mostOfProcess ? await claim(app, mostOfProcess - under.size) : []
    for (const one of claimed) {
      const work = deliver(app, one, signal).finally(() => under.delete(work))
      under.add(work)
    }
    sent += claimed.length
    if (claimed.length === 0 && isIdle) break
    if (under.size === 0) continue
    const waited = new AbortController()
    await Promise.race([...under, sleep(look, undefined, { signal: waited.signal }).catch(() => undefined)])
    waited.abort()
  }
  await Promise.all(under)
  return sent
}

/** Removes what has been in the log for its time. @returns how many */
export async function tidyDeliveries(app: FastifyInstance): Promise<number> {
  const db = liveAcross(app, app)
  const before = new Date(app.now().getTime() - keptDays * 86_400_000)
  let removed = 0
  for (;;) {
    const old = await db
      .selectFrom('hookdelivery')
      .select('id')
      .where('createTime', '<', before)
      .where('deliveryStatus', 'in', [
        HookDeliveryStatus.delivered,
        HookDeliveryStatus.givenUp,
        HookDeliveryStatus.waiting,
      ])
      .limit(portion)
      .execute()
    if (old.length === 0) return removed
    await db
      .deleteFrom('hookdelivery')
      .where(
        'id',
        'in',
        old.map(one => one.id),
      )
      .execute()
    removed += old.length
  }
}
