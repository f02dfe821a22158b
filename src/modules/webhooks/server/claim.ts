import type { FastifyInstance } from 'fastify'
import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { HookDeliveryStatus, HookOrder, HookStatus } from '#schemas/dictionaries'
import { type AcrossDatabase, type AcrossTrx, liveAcross, updateUnstamped } from '../../../platform/database/live.ts'

const { waiting, sending } = HookDeliveryStatus

/** At once for one hook, by all processes together. */
const mostOfHook = 4
/** Seconds for which a process has a delivery: a try takes far less. */
const lease = 60
/** Deliveries of a hook that are looked at, of which those that may go at once are taken. */
const looked = 200

/** Clock of the database, which all processes share. */
const leaseIsOver = sql<boolean>`d."leaseUntil" <= clock_timestamp()`
const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(lease)})`

/** A delivery that this process has taken, with the hook as it is then. */
export interface Claimed {
  readonly delivery: Pick<
    Selectable<AcrossDatabase['hookdelivery']>,
    'id' | 'messageId' | 'body' | 'isReplay' | 'tries' | 'waits'
  >
  readonly hook: Selectable<AcrossDatabase['hook']>
}

type Deliveries = ExpressionBuilder<AcrossDatabase & { d: AcrossDatabase['hookdelivery'] }, 'd'>

/** Is due, or was under way when its process ended. */
const isDue = (eb: Deliveries, now: Date) =>
  eb.or([
    eb.and([eb('d.deliveryStatus', '=', waiting), eb('d.goAt', '<=', now)]),
    eb.and([eb('d.deliveryStatus', '=', sending), leaseIsOver]),
  ])

/** Hooks with something to do, locked: of one hook one process takes deliveries at a time. */
const dueHooks = (trx: AcrossTrx, now: Date, most: number) =>
  trx
    .selectFrom('hook')
    .selectAll()
    .where('hookStatus', '=', HookStatus.enabled)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('hookdelivery as d')
          .select('d.id')
          .whereRef('d.hookId', '=', 'hook.id')
          .where(eb => isDue(eb as never, now)),
      ),
    )
    .orderBy(sql`random()`)
    .limit(most)
    .forNoKeyUpdate()
    .skipLocked()
    .execute()

/** What must not be under way twice at once: the row that something happened to, or everything of the hook. */
const keyOf = (hook: Claimed['hook'], subjectId: string): string =>
  hook.deliveryOrder === HookOrder.strict ? '' : subjectId

/** Takes those of a hook that are next: events of a row are entered in their order. What is replayed neither waits for what has still to go, nor is waited for. */
async function claimOf(trx: AcrossTrx, hook: Claimed['hook'], now: Date, room: number): Promise<Claimed[]> {
  const under = await trx
    .selectFrom('hookdelivery as d')
    .select('d.subjectId')
    .where('d.hookId', '=', hook.id)
    .where('d.deliveryStatus', '=', sending)
    .where(sql<boolean>`d."leaseUntil" > clock_timestamp()`)
    .execute()
  const free = Math.min(mostOfHook - under.length, room)
  if (free <= 0) return []
  const found = await trx
    .selectFrom('hookdelivery as d')
    .select(['d.id', 'd.messageId', 'd.body', 'd.isReplay', 'd.subjectId', 'd.waits'])
    .where('d.hookId', '=', hook.id)
    .where(eb => isDue(eb as never, now))
    .where(({ or, eb, not, exists, selectFrom }) =>
      or([
        eb('d.isReplay', '=', 1),
        not(
          exists(
            selectFrom('hookdelivery as before')
              .select('before.id')
              .where('before.hookId', '=', hook.id)
              .where('before.deliveryStatus', 'in', [waiting, sending])
              .where('before.isReplay', '=', 0)
              .whereRef('before.id', '<', 'd.id')
              .$if(hook.deliveryOrder === HookOrder.subject, some =>
                some.whereRef('before.subjectId', '=', 'd.subjectId'),
              ),
          ),
        ),
      ]),
    )
    .orderBy('d.isReplay')
    .orderBy('d.id')
    .limit(looked)
    .execute()
  const busy = new Set(under.map(one => keyOf(hook, one.subjectId)))
  const taken = found.filter(one => {
    const key = keyOf(hook, one.subjectId)
    return !busy.has(key) && Boolean(busy.add(key))
  })
  const ids = taken.slice(0, free).map(one => one.id)
  if (ids.length === 0) return []
  const marked = await updateUnstamped(trx, 'hookdelivery')
    .set(eb => ({ deliveryStatus: sending, tries: eb('tries', '+', 1), leaseUntil: leaseEnd, sentTime: now }))
    .where('id', 'in', ids)
    .returning(['id', 'messageId', 'body', 'isReplay', 'tries', 'waits'])
    .execute()
  return marked.map(delivery => ({ delivery, hook }))
}

/**
 * Takes deliveries that may go now, marked as under way before anything is sent: of any number of processes one gets each. What a process
 * had that ended is taken again when its lease is over.
 * @param room how many at most
 */
export const claim = (app: Pick<FastifyInstance, 'db' | 'now'>, room: number): Promise<Claimed[]> => {
  const now = app.now()
  return liveAcross(app, { now: () => now })
    .transaction()
    .execute(async trx => {
      const claimed: Claimed[] = []
      for (const hook of await dueHooks(trx, now, room)) {
        if (claimed.length >= room) break
        claimed.push(...(await claimOf(trx, hook, now, room - claimed.length)))
      }
      return claimed
    })
}
