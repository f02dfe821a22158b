import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { refuse } from '../http/server/refusal.ts'
import { retryAfter } from '../http/server/unavailable.ts'
import { limitConcurrency } from './limit-concurrency.ts'

/** Work that takes long or much: taking in a workbook, making a document to print. */
export type Work = 'import' | 'print'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The call does work of which nobody does much at once. */
    work?: Work
  }
}

/** How many of a kind run at once: for one person in all processes together, and in one process for everybody. */
const most: Readonly<Record<Work, { person: number; process: number }>> = {
  import: { person: 1, process: 2 },
  print: { person: 2, process: 8 },
}
/** Milliseconds somebody waits for a turn; later ones are asked to come again. */
const patience = 20_000
/** Milliseconds between two looks for a place that another process holds. */
const pause = 200
/** Seconds after which the place of a process that has ended is free again, and how often one that runs renews it. */
const lease = { seconds: 60, renew: 20_000 }
/** Of one person, calls that wait in one process, at most. */
const mostWaiting = 50

interface Place {
  token: string
  slot: number
}

/** Takes one of a person's places, in one statement; undefined while all are taken. The database's clock counts. */
async function takePlace({ db }: FastifyInstance, kind: Work, owner: string): Promise<Place | undefined> {
  const token = randomUUID()
  const { rows } = await sql<{ slot: number }>`
    INSERT INTO work_place (kind, owner, slot, token, until)
    SELECT ${kind}, ${owner}, slot, ${token}, clock_timestamp() + make_interval(secs => ${lease.seconds})
    FROM generate_series(1, ${most[kind].person}::int) slot
    WHERE NOT EXISTS (SELECT 1 FROM work_place w WHERE w.kind = ${kind} AND w.owner = ${owner} AND w.slot = slot.slot
      AND w.until > clock_timestamp())
    ORDER BY slot LIMIT 1
    ON CONFLICT (kind, owner, slot) DO UPDATE SET token = excluded.token, until = excluded.until
      WHERE work_place.until <= clock_timestamp()
    RETURNING slot`.execute(db)
  return rows[0] && { token, slot: rows[0].slot }
}

/** Waits for a place. @throws input.tooOften when none becomes free in time */
async function waitForPlace(app: FastifyInstance, kind: Work, owner: string, due: number): Promise<Place> {
  for (;;) {
    const place = await takePlace(app, kind, owner)
    if (place) return place
    if (performance.now() > due) throw refuse('input.tooOften')
    await sleep(pause)
  }
}

/** Keeps a place while the work runs. @returns gives it up */
function hold({ db, log }: FastifyInstance, { token }: Place): () => Promise<void> {
  const timer = setInterval(() => {
    sql`UPDATE work_place SET until = clock_timestamp() + make_interval(secs => ${lease.seconds}) WHERE token = ${token}`
      .execute(db)
      .catch(err => log.warn({ err }, 'a place of work was not renewed'))
  }, lease.renew)
  timer.unref()
  return async () => {
    clearInterval(timer)
    await sql`DELETE FROM work_place WHERE token = ${token}`.execute(db)
  }
}

/** Those who wait in this process, in their order: only the first of them looks for a place. */
interface Line {
  inTurn: ReturnType<typeof limitConcurrency>
  waiting: number
}

/** The end of a call. */
interface End {
  isOver: boolean
  promise: Promise<void>
  end(): void
}

function endOf(): End {
  let resolve = () => {}
  const promise = new Promise<void>(done => {
    resolve = done
  })
  const end: End = {
    isOver: false,
    promise,
    end() {
      end.isOver = true
      resolve()
    },
  }
  return end
}

class Works {
  readonly #app: FastifyInstance
  readonly #lines = new Map<string, Line>()
  readonly #all = { import: limitConcurrency(most.import.process), print: limitConcurrency(most.print.process) }

  constructor(app: FastifyInstance) {
    this.#app = app
  }

  /** Resolves when the work may begin; it ends with `over`. @throws input.tooOften */
  begin(kind: Work, owner: string, over: End): Promise<void> {
    const key = `${kind} ${owner}`
    const line = this.#lines.get(key) ?? { inTurn: limitConcurrency(most[kind].person), waiting: 0 }
    if (line.waiting >= mostWaiting) return Promise.reject(refuse('input.tooOften'))
    this.#lines.set(key, line)
    line.waiting++
    const due = performance.now() + patience
    return new Promise((resolve, reject) => {
      const work = () => this.#all[kind](() => this.#run(kind, owner, { due, over, begun: resolve }))
      line
        .inTurn(work)
        .catch(reject)
        .finally(() => {
          if (--line.waiting === 0) this.#lines.delete(key)
        })
    })
  }

  async #run(kind: Work, owner: string, { due, over, begun }: { due: number; over: End; begun: () => void }) {
    if (over.isOver) return
    if (performance.now() > due) throw refuse('input.tooOften')
    const giveUp = hold(this.#app, await waitForPlace(this.#app, kind, owner, due))
    begun()
    await over.promise
    await giveUp()
  }
}

/**
 * Lets few do heavy work at once, in their order: of one person across all processes, by places in the database that a process
 * which has ended loses, and of everybody in one process. Whoever waits too long is asked to come again.
 */
export default fp(
  async app => {
    const works = new Works(app)
    const ends = new WeakMap<FastifyRequest, () => void>()
    app.addHook('preHandler', async (request: FastifyRequest, reply: FastifyReply) => {
      const { config } = request.routeOptions
      const { work = request.form ? config.form?.work : undefined } = config
      if (!work || request.is404) return
      const over = endOf()
      ends.set(request, over.end)
      reply.raw.once('close', over.end)
      await works.begin(work, request.person?.userId ?? `ip:${request.ip}`, over).catch(error => {
        reply.header('retry-after', String(retryAfter))
        throw error
      })
    })
    app.addHook('onResponse', async request => ends.get(request)?.())
  },
  { name: 'work', dependencies: ['database', 'auth'] },
)
