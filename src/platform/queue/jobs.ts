import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'

/** What a job does; what it returns is not looked at. */
type Work = () => Promise<unknown>

/** Work that is done again and again, by one process of an installation at a time. */
export interface Jobs {
  /**
   * Does `work` every so many seconds from the start of the server on. Names are unique. Of several processes on one database
   * one does it each time, and never before the last run has ended.
   */
  every(seconds: number, name: string, work: Work): void
  /** Whether there is a job of this name. */
  has(name: string): boolean
  /**
   * Does a job now, unless it is running somewhere.
   * @returns false when it was running
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
    job_lock: { name: string; nextTime: Date }
  }
}

interface Job {
  seconds: number
  work: Work
}

/** Decorates the app with its scheduler. With `jobs: false` in the configuration nothing runs by the clock. */
export default fp(
  async app => {
    const jobs = new Map<string, Job>()
    const timers: NodeJS.Timeout[] = []
    const running = new Set<Promise<unknown>>()
    const run = async (name: string) => {
      const job = jobs.get(name)
      if (!job) throw new Error(`There is no job ${name}.`)
      const work = alone(app, name, job.work)
      running.add(work)
      return work.finally(() => running.delete(work))
    }
    const tick = async (name: string, { seconds }: Job) => {
      try {
        if (await isDue(app, name, seconds)) await run(name)
      } catch (error) {
        app.log.error({ err: error, job: name }, 'job failed')
        app.journal.note('error', name, { job: name, error: String(error) })
      }
    }
    app.decorate('jobs', {
      every(seconds, name, work) {
        if (jobs.has(name)) throw new Error(`There are two jobs ${name}.`)
        jobs.set(name, { seconds, work })
      },
      has: name => jobs.has(name),
      run,
    })
    app.addHook('onReady', async () => {
      if (!app.config.jobs) return
      for (const [name, job] of jobs) timers.push(setInterval(tick, job.seconds * 1000, name, job))
    })
    app.addHook('preClose', async () => {
      for (const timer of timers) clearInterval(timer)
      await Promise.allSettled(running)
    })
  },
  { name: 'jobs', dependencies: ['database', 'journal'] },
)

/** True for the one process that moves the time of the next run on. A process may tick a little early: a tenth is forgiven. */
async function isDue(app: FastifyInstance, name: string, seconds: number): Promise<boolean> {
  const now = app.now()
  const nextTime = new Date(now.getTime() + seconds * 900)
  const claimed = await app.db
    .insertInto('job_lock')
    .values({ name, nextTime })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ nextTime }).where('job_lock.nextTime', '<=', now))
    .executeTakeFirst()
  return Number(claimed.numInsertedOrUpdatedRows ?? 0) === 1
}

/** Runs the work while holding the job's lock; the lock ends with the process that holds it. */
async function alone(app: FastifyInstance, name: string, work: Work): Promise<boolean> {
  const client = await app.pool.connect()
  const lock = 'hashtextextended($1, 8130)'
  try {
    const { rows } = await client.query<{ got: boolean }>(`SELECT pg_try_advisory_lock(${lock}) AS got`, [name])
    if (!rows[0]?.got) return false
    await work()
    return true
  } finally {
    // An error here means that the connection is gone, and the lock with it.
    const unlocked = client.query(`SELECT pg_advisory_unlock(${lock})`, [name])
    await unlocked.then(() => client.release()).catch((error: Error) => client.release(error))
  }
}
