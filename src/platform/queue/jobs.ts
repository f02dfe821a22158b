import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'

/** Work of the server itself that is done again and again. */
export interface OwnWork {
  /** What it is called in the database and in logs; unique. */
  name: string
  /** What administrators read, in Chinese. */
  title: string
  /** Seconds from one time to the next, where nobody has chosen others. */
  seconds: number
  /** The least and the most seconds that may be chosen; a fifth and five times as many by default. */
  within?: readonly [least: number, most: number]
  /** Nothing is missed while it is paused: administrators may do so. */
  harmlessToPause?: true
  /** What is done; what it returns is not looked at. Long work stops at the signal, by which the server says that it ends. */
  work: (signal: AbortSignal) => Promise<unknown>
}

/** Work that is done again and again, by one process of an installation at a time. */
export interface Jobs {
  /**
   * Makes work known that is to be done every so many seconds. It becomes a job of the built-in server, and is scheduled as every
   * other job: of several processes on one database one does it each time, and never before the last run has ended.
   */
  every(own: OwnWork): void
  /** All that is known, in the order in which it was made known. */
  all(): readonly OwnWork[]
  /** Work by its name. */
  get(name: string): OwnWork | undefined
  /**
   * Does work now, in this process, unless it is being done somewhere.
   * @returns false when it was
   * @throws what the work throws
   */
  run(name: string): Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    jobs: Jobs
  }
}

declare module '../database/tables.ts' {
  interface InternalTables {
    job_lock: { name: string; holder: string | null; until: Date | null }
  }
}

/** Seconds after which work whose process has ended may be done by another. */
const lease = 60
/** Milliseconds between two renewals of a lease. */
const beat = 15_000

/** The least and the most seconds between two times of a work. */
export const boundsOf = ({ seconds, within }: Pick<OwnWork, 'seconds' | 'within'>): readonly [number, number] =>
  within ?? [Math.max(1, Math.floor(seconds / 5)), seconds * 5]

/** Decorates the app with the work of its own. */
export default fp(
  async app => {
    const known = new Map<string, OwnWork>()
    const running = new Map<Promise<unknown>, string>()
    const ending = new AbortController()
    app.decorate('jobs', {
      every(own) {
        if (known.has(own.name)) throw new Error(`There are two jobs ${own.name}.`)
        known.set(own.name, own)
      },
      all: () => [...known.values()],
      get: name => known.get(name),
      async run(name) {
        const own = known.get(name)
        if (!own) throw new Error(`There is no job ${name}.`)
        const work = alone(app, own, ending.signal)
        running.set(work, name)
        return work.finally(() => running.delete(work))
      },
    })
    app.addHook('preClose', async () => {
      ending.abort(new Error('The server ends.'))
      await Promise.allSettled([...running].map(([work, name]) => app.finish(`the job ${name}`, work)))
    })
  },
  { name: 'jobs', dependencies: ['database', 'journal'] },
)

const leaseEnd = sql<Date>`clock_timestamp() + make_interval(secs => ${sql.lit(lease)})`

/**
 * Does work while holding its lease. The lease is a row, renewed by a heartbeat by the clock of the database: it ends a minute after
 * the process that holds it, and no connection has to stay the same, so a pooler may stand before the database.
 */
async function alone({ db, log }: FastifyInstance, { name, work }: OwnWork, ending: AbortSignal): Promise<boolean> {
  const holder = randomUUID()
  const mine = db.updateTable('job_lock').where('name', '=', name).where('holder', '=', holder)
  const taken = await db
    .insertInto('job_lock')
    .values({ name, holder, until: leaseEnd })
    .onConflict(conflict =>
      conflict
        .column('name')
        .doUpdateSet({ holder, until: leaseEnd })
        .where(eb =>
          eb.or([eb('job_lock.until', 'is', null), eb('job_lock.until', '<=', sql<Date>`clock_timestamp()`)]),
        ),
    )
    .executeTakeFirst()
  if (Number(taken.numInsertedOrUpdatedRows ?? 0) === 0) return false
  const timer = setInterval(() => {
    mine
      .set({ until: leaseEnd })
      .execute()
      .catch(err => log.warn({ err, job: name }, 'the lease of a job was not renewed'))
  }, beat)
  timer.unref()
  try {
    await work(ending)
    return true
  } finally {
    clearInterval(timer)
    await mine
      .set({ holder: null, until: null })
      .execute()
      .catch(err => log.warn({ err, job: name }, 'the lease of a job was not given back'))
  }
}
