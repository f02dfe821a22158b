import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startPostgres } from '../helper/outside-postgres.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'

/** The share of answers that may be refusals for load, on processors that also run the load and the database. */
const mostRefused = 0.1

trial(
  'five processes and 60 clients on the 100 connections that PostgreSQL has by default',
  { needs: ['postgres'] },
  async run => {
    const database = await startPostgres(run)
    const { urls, headers } = await startServers(run, 5, { DATABASE_URL: database.url })
    const load = steadyLoad({ urls, headers, writers: 20, readers: 40 })
    let most = 0
    for (let second = 0; second < 15; second++) {
      await sleep(1000)
      const [row] = await database.query<{ n: number }>(
        `SELECT count(*)::int AS n FROM pg_stat_activity WHERE backend_type = 'client backend'`,
      )
      most = Math.max(most, row!.n)
    }
    const outcome = await load.end()
    const lost = await lostOf(load, database.query)
    const { 200: good = 0, 503: refused = 0, ...others } = outcome.statuses
    run.figure('answers, of these refused for a moment', `${outcome.answers}, ${refused}`)
    run.figure('p99, ms', outcome.p99)
    run.figure('most connections', most)
    expect(outcome.faults).toEqual([])
    expect(outcome.losses).toEqual([])
    // Five processes on few processors may say that they have too much to do, each with when to come again.
    expect(others).toEqual({})
    expect(outcome.bare).toBe(0)
    expect(refused / outcome.answers).toBeLessThan(mostRefused)
    expect(good).toBeGreaterThan(100)
    expect(lost).toEqual([])
    expect(database.output()).not.toMatch(/too many clients|remaining connection slots/)
  },
)
