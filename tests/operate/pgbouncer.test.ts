import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect } from 'vitest'
import { startPostgres } from '../helper/outside-postgres.ts'
import { startPooler } from '../helper/pooler.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'

/** The share of answers that may be refusals for load, on processors that also run the load and the database. */
const mostRefused = 0.1

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
    const { 200: good = 0, 503: refused = 0, ...others } = outcome.statuses
    run.figure('refused for a moment', refused)
    run.figure('connections at PostgreSQL', open[0]!.n)
    run.figure('saved, of these lost', `${load.saved.length}, ${lost.length}`)
    expect(outcome.faults).toEqual([])
    expect(outcome.losses).toEqual([])
    // Three processes on few processors may say that they have too much to do, each with when to come again.
    expect(others).toEqual({})
    expect(outcome.bare).toBe(0)
    expect(refused / outcome.answers).toBeLessThan(mostRefused)
    expect(good).toBeGreaterThan(100)
    expect(lost).toEqual([])
    // Nothing that belongs to a session is left with the pooler.
    const locks = await database.query(
      `SELECT mode, a.application_name AS name, a.query FROM pg_locks l JOIN pg_stat_activity a USING (pid)
       WHERE locktype = 'advisory' AND mode <> 'ShareLock'`,
    )
    expect(locks).toEqual([])
  },
)

trial(
  'settings of the role that were changed behind PgBouncer: a start is refused until RECONNECT was said',
  { needs: ['pgbouncer', 'postgres'] },
  async run => {
    const database = await startPostgres(run)
    const pooler = await startPooler(database.url)
    run.after(() => pooler.stop())
    const { all } = await startServers(run, 1, { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: database.url })
    const [server] = all
    expect(await server!.now.stop()).toBe(0)
    await database.query(`ALTER ROLE juxian IN DATABASE exam SET lock_timeout = '9s'`)
    await pooler.say('RECONNECT')
    const client = new pg.Client(pooler.url)
    await client.connect()
    expect((await client.query('SHOW lock_timeout')).rows).toEqual([{ lock_timeout: '9s' }])
    await client.end()
    await expect(server!.start()).rejects.toThrow('Say RECONNECT at the console of the pooler')
    expect(await server!.now.ended).toBe(1)
    await pooler.say('RECONNECT')
    await server!.start()
  },
)
