import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { type ExpressionBuilder, sql } from 'kysely'
import { WorkState } from '#schemas/dictionaries'
import type { Database, Trx } from '../database/database.ts'
import { type AnyHandle, type AnyTrx, liveAcross, raw } from '../database/live.ts'
import { apart, inBackground } from '../database/request-transaction.ts'
import { Refusal } from '../http/server/refusal.ts'
import '../metrics/meter.ts'
import { type Claimed, claim, lease, renew } from './claim.ts'
import { Held, itemOf, type Left } from './held.ts'
import { nodeName } from './node.ts'
import {
  Closing,
  FinalFailure,
  type Kind,
  type Lane,
  type Leaving,
  LostLease,
  lanes,
  type Memo,
  Postponed,
  type WorkKind,
  type WorkKinds,
} from './piece.ts'

/** What is to be done, as it is entered. */
export interface Entering<K extends WorkKind> {
  kind: K
  /** Of one kind and key one piece is waiting or running at a time; a second is not entered. */
  key?: string
  /** Not before this time of the server's clock; at once by default. */
  runAt?: Date
  /** Higher ones go first within a lane; 0 by default. */
  priority?: number
  /** Whose work it is: whoever sees the queue sees that of the own tenant. */
  tenantId: string
  /** The piece that this one is a part of. */
  parentId?: string
  /** Only the process of this name does it. */
  forNode?: string
  /** JSON; kept sealed. */
  payload: WorkKinds[K]
  /** How often it is begun at most; as its kind says by default. */
  maxTries?: number
  /** What the first try finds noted; kept as it is, so nothing that may name persons. */
  memo?: Memo
}

/** A kind as the table has it: the dictionary names those of the product alone. */
type Stored = Database['work_item']['kind']['__select__']

/** Pieces of one kind and key, or one by its id. */
type Which = { id: string } | { kind: WorkKind; key: string }

/** The queue of everything that is done in the background, by any process of the installation. */
export interface Queue {
  /** What this process is called in the queue. */
  readonly node: string
  /** Makes a kind of work known. */
  add<K extends WorkKind>(kind: Kind<K>): void
  /**
   * Enters a piece of work in the transaction of whoever wants it done: it is there when that is kept, and never else.
   * @returns its id; null where one of the same kind and key is waiting or running
   */
  enter<K extends WorkKind>(on: AnyHandle, entering: Entering<K>): Promise<string | null>
  /**
   * Calls pieces off that are waiting or running; whoever is at one loses it and is told by its signal.
   * @returns how many
   */
  cancel(on: AnyHandle, which: Which): Promise<number>
  /**
   * Lets a piece that was given up or called off wait again, as if it were new; of a kind and key the newest is meant.
   * @returns false where there is none, or another of its kind and key is open
   */
  retry(trx: AnyTrx, which: Which): Promise<boolean>
  /** Lets a piece that waits be begun at another time. @returns false where none waits */
  replan(on: AnyHandle, which: Which, runAt: Date): Promise<boolean>
  /** False where another piece of the kind and key of one that was given up is open. */
  mayRetry(on: AnyHandle, id: string): Promise<boolean>
  /** Tells the kind of a piece that it waits again, where its state was changed by somebody else. */
  tellRetried(trx: AnyTrx, id: string): Promise<void>
  /** Has this process look for work in a moment, when the transaction that entered some has ended. */
  nudge(): void
  /** Does all that is due, in this process, whether or not it works by the clock. @returns how many pieces it has begun */
  workOff(): Promise<number>
}

declare module 'fastify' {
  interface FastifyInstance {
    queue: Queue
  }
}

/** Milliseconds until the next look for work: while there is some, while there is none, and when told of some. */
const look = { busy: 500, idle: 2000, told: 50 }
/** Milliseconds between two heartbeats. */
const beat = Math.min((lease * 1000) / 4, 5000)
/** Milliseconds until a piece that failed is begun again, times the number of tries. */
const usualPause = 20_000
/** Milliseconds that work has to stop in when the server ends. */
const grace = 10_000
/** Milliseconds for which ended pieces are known: done or called off, and given up. */
const known = { done: 7 * 86_400_000, failed: 30 * 86_400_000 }
/** What is said of work that ended its process each time. */
const interrupted = '多次中断'

class Worker {
  readonly #app: FastifyInstance
  readonly #kinds = new Map<string, Kind>()
  /** What this process is at, by the place where it was begun. */
  readonly #running = new Map<Held, { lane: Lane; work: Promise<void> }>()
  /** Lanes that a look has filled: more may be waiting there. */
  readonly #filled = new Set<Lane>()
  readonly #hasRoom: () => void
  #looking: Promise<number> | undefined
  #beating: NodeJS.Timeout | undefined
  #isClosing = false

  /** @param hasRoom told when a piece has ended in a lane that was full */
  constructor(
    app: FastifyInstance,
    readonly node: string,
    hasRoom: () => void,
  ) {
    this.#app = app
    this.#hasRoom = hasRoom
  }

  add(kind: Kind): void {
    if (this.#kinds.has(kind.kind)) throw new Error(`There are two kinds of work ${kind.kind}.`)
    this.#kinds.set(kind.kind, kind)
  }

  /** A kind that this process knows. */
  find(name: string): Kind | undefined {
    return this.#kinds.get(name)
  }

  kindOf(name: string): Kind {
    const kind = this.find(name)
    if (!kind) throw new Error(`There is no kind of work ${name}.`)
    return kind
  }

  /** Takes as many pieces as there is room for and begins them. @returns how many */
  look(): Promise<number> {
    this.#looking ??= this.#take().finally(() => {
      this.#looking = undefined
    })
    return this.#looking
  }

  async #take(): Promise<number> {
    const rooms = new Map(Object.entries(lanes) as [Lane, number][])
    for (const { lane } of this.#running.values()) rooms.set(lane, (rooms.get(lane) ?? 0) - 1)
    const kinds = [...this.#kinds.values()]
    const lanesInUse = [...rooms].filter(([, room]) => room > 0).map(([lane]) => lane)
    for (const [lane, room] of rooms) if (room <= 0 || !kinds.some(kind => kind.lane === lane)) rooms.delete(lane)
    if (this.#isClosing || rooms.size === 0) return 0
    const { db, now } = this.#app
    const claimed = await claim(db, { node: this.node, kinds: kinds.map(({ kind }) => kind), rooms, now: now() })
    for (const lane of lanesInUse) {
      const taken = claimed.filter(one => one.lane === lane).length
      if (taken > 0 && taken === rooms.get(lane)) this.#filled.add(lane)
      else this.#filled.delete(lane)
    }
    for (const one of claimed) this.#begin(one)
    return claimed.length
  }

  #begin(claimed: Claimed): void {
    const kind = this.kindOf(claimed.kind)
    const { payload, error } = this.#open(claimed)
    const held = new Held(claimed, payload, this.#app, kind.forgetsDone)
    const done = error ? this.#fail(kind, held, error) : this.#carryOut(kind, held, claimed.tries > claimed.maxTries)
    const work = done
      .catch(error =>
        this.#app.log.error({ err: error, work: held.id, kind: held.kind }, 'a piece of work was not ended'),
      )
      .finally(() => {
        this.#running.delete(held)
        if (this.#running.size === 0) clearInterval(this.#beating)
        if (this.#filled.has(kind.lane)) this.#hasRoom()
      })
    if (this.#running.size === 0) this.#beating = setInterval(() => void this.#beat(), beat).unref()
    this.#running.set(held, { lane: kind.lane, work })
  }

  /** What a piece carries; an error where it cannot be read, such as sealed with a key that is not known yet. */
  #open({ payload }: Claimed): { payload: WorkKinds[WorkKind]; error?: unknown } {
    try {
      return { payload: JSON.parse(payload === null ? '{}' : this.#app.vault.open(payload)) as never }
    } catch (error) {
      return { payload: {} as never, error }
    }
  }

  /** @param isHopeless begun once more than it may be: it has ended its process each time */
  async #carryOut(kind: Kind, held: Held, isHopeless: boolean): Promise<void> {
    if (isHopeless) return this.#leave(kind, held, null, { how: 'failed', reason: interrupted, error: null })
    try {
      const perform = () => inBackground(() => kind.perform(held))
      const result = await this.#app.tracer.work(`work ${kind.kind}`, perform)
      if (!held.hasEnded)
        await held.leave(this.#app.db, { state: WorkState.done, result: typeof result === 'string' ? result : null })
    } catch (error) {
      await this.#fail(kind, held, error)
    }
  }

  async #fail(kind: Kind, held: Held, error: unknown): Promise<void> {
    const { signal } = held
    if (error instanceof LostLease || signal.reason instanceof LostLease) return
    const back = { how: 'back', reason: null, error } as const
    if (error instanceof Postponed) return this.#leave(kind, held, error.until, back)
    if (signal.aborted) return this.#leave(kind, held, null, back)
    const reason = error instanceof Error ? error.message : String(error)
    const isFinal = held.isLast || error instanceof FinalFailure || kind.isFinal?.(error) === true
    if (!(error instanceof Refusal || error instanceof FinalFailure))
      this.#app.log.error({ err: error, work: held.id, kind: held.kind, tries: held.tries }, 'work failed')
    if (isFinal) return this.#leave(kind, held, null, { how: 'failed', reason, error })
    const again = new Date(this.#app.now().getTime() + (kind.pause ?? usualPause) * held.tries)
    return this.#leave(kind, held, again, { how: 'again', reason, error })
  }

  /** Lets a piece go without its being done; what belongs to it changes in the same transaction. */
  async #leave(kind: Kind, held: Held, runAt: Date | null, leaving: Leaving): Promise<void> {
    const { how, reason: result } = leaving
    const left: Left =
      how === 'failed'
        ? { state: WorkState.failed, result }
        : { state: WorkState.waiting, runAt, result, isCounted: how === 'again' }
    const work = async (trx: Trx) => {
      await held.leave(trx, left)
      await kind.left?.(liveAcross(trx, this.#app), itemOf(held), leaving)
    }
    try {
      await this.#app.db.transaction().execute(work)
    } catch (error) {
      if (!(error instanceof LostLease)) throw error
      return
    }
    if (how === 'failed') this.#app.meter.count('work_failed_total', { kind: kind.kind })
  }

  /** Renews what this process has; what it has no more, or could not renew for as long as a lease, is called off. */
  async #beat(): Promise<void> {
    const held = [...this.#running.keys()]
    if (held.length === 0) return
    const asked = performance.now()
    const mine = await renew(
      this.#app.db,
      held.map(one => one.beat()),
    ).catch(error => void this.#app.log.warn({ err: error }, 'leases of work were not renewed'))
    for (const one of held) {
      if (mine?.has(one.id)) one.renewedAt = asked
      else if (mine || asked - one.renewedAt > lease * 1000) if (!one.hasEnded) one.stop(new LostLease())
    }
  }

  async workOff(): Promise<number> {
    for (let begun = 0; ; ) {
      const wasIdle = this.#running.size === 0
      const taken = await this.look()
      begun += taken
      const running = [...this.#running.values()].map(({ work }) => work)
      if (running.length > 0) await Promise.race(running)
      // What ended meanwhile has left room that this look did not know of.
      else if (taken === 0 && wasIdle) return begun
    }
  }

  /** Ends when what was begun has stopped, or has had its time to: then its lease is given back all the same. */
  async close(): Promise<void> {
    this.#isClosing = true
    await this.#looking?.catch(() => {})
    for (const held of this.#running.keys()) held.stop(new Closing('The server ends.'))
    const stopped = Promise.allSettled([...this.#running.values()].map(({ work }) => work))
    const waited = new AbortController()
    await Promise.race([stopped, sleep(grace, undefined, { signal: waited.signal, ref: false }).catch(() => {})])
    waited.abort()
    const error = new Closing('The server ends.')
    for (const held of this.#running.keys())
      await this.#leave(this.kindOf(held.kind), held, null, { how: 'back', reason: null, error }).catch(err =>
        this.#app.log.warn({ err, work: held.id }, 'a piece of work was not given back'),
      )
    clearInterval(this.#beating)
  }
}

/** Forgets pieces that ended long ago. */
async function tidy({ db, now }: FastifyInstance): Promise<void> {
  const before = (milliseconds: number) => new Date(now().getTime() - milliseconds)
  await db
    .deleteFrom('work_item')
    .where(eb =>
      eb.or([
        eb('state', '=', WorkState.done).and('endTime', '<', before(known.done)),
        eb('state', 'in', [WorkState.failed, WorkState.cancelled]).and('endTime', '<', before(known.failed)),
      ]),
    )
    .execute()
}

/** Which rows are meant, and are open. */
const isOpen = sql<boolean>`state IN (${sql.lit(WorkState.waiting)}, ${sql.lit(WorkState.running)})`

/** The rows of {@link Which}. */
const meant = (eb: ExpressionBuilder<Database, 'work_item'>, which: Which) =>
  'id' in which ? eb('id', '=', which.id) : eb('kind', '=', which.kind as Stored).and('key', '=', which.key)

/**
 * Decorates the app with its queue. With `jobs: false` in the configuration nothing is done by the clock. All statements are plain
 * ones or short transactions: no lock or setting of a connection outlives them, so a pooler may stand before the database.
 */
export default fp(
  async app => {
    const worker = new Worker(app, nodeName(), () => {
      if (app.config.jobs) plan(0)
    })
    let timer: NodeJS.Timeout | undefined
    let isClosing = false
    const turn = async (): Promise<void> => {
      const taken = await worker.look().catch(error => {
        app.log.error({ err: error }, 'the queue')
        return 0
      })
      plan(taken > 0 ? look.busy : look.idle)
    }
    const plan = (milliseconds: number): void => {
      clearTimeout(timer)
      if (!isClosing) timer = setTimeout(() => void turn(), milliseconds)
    }
    app.meter.gauge('work_age_seconds', async () => {
      const { rows } = await sql<{ kind: string; value: number }>`
        SELECT kind, extract(epoch FROM clock_timestamp() - min("runAt"))::float8 AS value FROM work_item
        WHERE state = ${sql.lit(WorkState.waiting)} AND "runAt" <= clock_timestamp() GROUP BY kind`.execute(app.db)
      return rows.map(({ kind, value }) => ({ labels: { kind }, value }))
    })
    const queue: Queue = {
      node: worker.node,
      add: kind => worker.add(kind as unknown as Kind),
      async enter(on, { kind, key, tenantId, payload, runAt, priority, parentId, forNode, maxTries, memo }) {
        const now = app.now()
        const { lane, mostTries } = worker.kindOf(kind)
        const row = await raw(on)
          .insertInto('work_item')
          .values({
            kind: kind as Stored,
            lane,
            tenantId,
            key: key ?? null,
            runAt: runAt ?? now,
            priority: priority ?? 0,
            parentId: parentId ?? null,
            forNode: forNode ?? null,
            tries: 0,
            maxTries: maxTries ?? mostTries,
            memo: memo ? JSON.stringify(memo) : null,
            payload: app.vault.seal(JSON.stringify(payload)),
            createTime: now,
            updateTime: now,
          })
          .onConflict(conflict => conflict.columns(['kind', 'key']).where(isOpen).doNothing())
          .returning('id')
          .executeTakeFirst()
        return row?.id ?? null
      },
      async cancel(on, which) {
        const now = app.now()
        const { numUpdatedRows } = await raw(on)
          .updateTable('work_item')
          .set({ state: WorkState.cancelled, leaseBy: null, leaseUntil: null, endTime: now, updateTime: now })
          .where(isOpen)
          .where(eb => meant(eb, which))
          .executeTakeFirst()
        return Number(numUpdatedRows)
      },
      async replan(on, which, runAt) {
        const { numUpdatedRows } = await raw(on)
          .updateTable('work_item')
          .set({ runAt, updateTime: app.now() })
          .where(eb => meant(eb, which))
          .where('state', '=', WorkState.waiting)
          .executeTakeFirst()
        return numUpdatedRows > 0n
      },
      async retry(trx, which) {
        const now = app.now()
        const ended = await raw(trx)
          .selectFrom('work_item')
          .select('id')
          .where(eb => meant(eb, which))
          .where('state', 'in', [WorkState.failed, WorkState.cancelled])
          .orderBy('id', 'desc')
          .limit(1)
          .forNoKeyUpdate()
          .executeTakeFirst()
        if (!ended || !(await queue.mayRetry(trx, ended.id))) return false
        await raw(trx)
          .updateTable('work_item')
          .set({ state: WorkState.waiting, tries: 0, runAt: now, endTime: null, result: null, updateTime: now })
          .where('id', '=', ended.id)
          .execute()
        await queue.tellRetried(trx, ended.id)
        return true
      },
      async mayRetry(on, id) {
        const same = raw(on)
          .selectFrom('work_item as w')
          .innerJoin('work_item as o', join => join.onRef('o.kind', '=', 'w.kind').onRef('o.key', '=', 'w.key'))
          .select('o.id')
          .where('w.id', '=', id)
          .where('o.state', 'in', [WorkState.waiting, WorkState.running])
        return (await same.executeTakeFirst()) === undefined
      },
      async tellRetried(trx, id) {
        const row = await raw(trx)
          .selectFrom('work_item')
          .select(['id', 'kind', 'key', 'tenantId', 'parentId'])
          .where('id', '=', id)
          .executeTakeFirstOrThrow()
        await worker.find(row.kind)?.retried?.(liveAcross(trx, app), { ...row, kind: row.kind as WorkKind })
      },
      nudge() {
        if (app.config.jobs && !isClosing) apart(() => plan(look.told))
      },
      workOff: () => apart(() => worker.workOff()),
    }
    app.decorate('queue', queue)
    app.jobs.every({
      name: 'work-items',
      title: '清理后台工作',
      seconds: 3600,
      harmlessToPause: true,
      work: () => tidy(app),
    })
    app.addHook('onReady', async () => {
      if (app.config.jobs) plan(look.busy)
    })
    app.addHook('preClose', async () => {
      isClosing = true
      clearTimeout(timer)
      await app.finish('work in the background', worker.close())
    })
  },
  { name: 'queue', dependencies: ['database', 'vault', 'jobs'] },
)
