import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import { type AnyHandle, raw } from '../database/live.ts'

declare module '../database/tables.ts' {
  interface InternalTables {
    app_node: { name: string; beatTime: Date; startTime: Date }
  }
}

/** Seconds between two heartbeats of a process, and after how many without one it counts as gone. */
const [beat, alive] = [10, 30]

const now = sql<Date>`clock_timestamp()`

/** Names of the processes that are alive, the oldest first. */
export async function aliveNodes(on: AnyHandle | FastifyInstance): Promise<string[]> {
  const db = 'db' in on ? on.db : raw(on)
  const rows = await db
    .selectFrom('app_node')
    .select('name')
    .where('beatTime', '>', sql<Date>`${now} - make_interval(secs => ${sql.lit(alive)})`)
    .orderBy('startTime')
    .orderBy('name')
    .execute()
  return rows.map(row => row.name)
}

/** Notes that a process is there. */
async function beatNode({ db, queue }: Pick<FastifyInstance, 'db' | 'queue'>): Promise<void> {
  await db
    .insertInto('app_node')
    .values({ name: queue.node, beatTime: now, startTime: now })
    .onConflict(conflict => conflict.column('name').doUpdateSet({ beatTime: now }))
    .execute()
}

/** Forgets a process that ends, and those that have been gone for a day. */
async function forgetNodes({ db, queue }: Pick<FastifyInstance, 'db' | 'queue'>): Promise<void> {
  await db
    .deleteFrom('app_node')
    .where(eb => eb.or([eb('name', '=', queue.node), eb('beatTime', '<', sql<Date>`${now} - interval '1 day'`)]))
    .execute()
}

/** Lets a process that works by the clock be known among all of its installation. */
export default fp(
  async app => {
    let timer: NodeJS.Timeout | undefined
    app.addHook('onReady', async () => {
      if (!app.config.jobs) return
      await beatNode(app)
      timer = setInterval(
        () => void beatNode(app).catch(err => app.log.warn({ err }, 'the heartbeat of the process was not noted')),
        beat * 1000,
      ).unref()
    })
    app.addHook('onClose', async () => {
      if (!timer) return
      clearInterval(timer)
      await forgetNodes(app).catch(err => app.log.warn({ err }, 'the process was not forgotten'))
    })
  },
  { name: 'nodes', dependencies: ['database', 'queue'] },
)
