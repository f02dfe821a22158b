import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startPostgres } from '../helper/outside-postgres.ts'
import { startPooler } from '../helper/pooler.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'

trial(
  'PgBouncer in transaction mode: three processes and 24 clients on eight connections',
  { needs: ['pgbouncer', 'postgres'] },
  async run => {
    const database = await startPostgres(run)
    const pooler = await startPooler(database.url)
    run.after(() => pooler.stop())
    const { urls, headers } = await startServers(run, 3, {
      DATABASE_URL: pooler.url,
      DATABASE_DIRECT_URL: database.url,
    })
    const load = steadyLoad({ urls, headers, writers: 6, readers: 18 })
    await sleep(10_000)
    const open = await database.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend' AND usename = 'juxian'`,
    )
    await sleep(5000)
    const outcome = await load.end()
    const lost = await lostOf(load, database.query)
    for (const what of ['answers', 'perSecond', 'p99', 'longest'] as const) run.figure(what, outcome[what])
    run.figure('connections at PostgreSQL', open[0]!.n)
    run.figure('saved, of these lost', `${load.saved.length}, ${lost.length}`)
    expect(outcome.faults).toEqual([])
    expect(Object.keys(outcome.statuses)).toEqual(['200'])
    expect(lost).toEqual([])
    // Nothing that belongs to a session is left with the pooler.
    const locks = await database.query(
      `SELECT mode, a.application_name AS name, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE locktype = 'advisory' AND mode <> 'ShareLock'`,
    )
    expect(locks).toEqual([])
  },
)
