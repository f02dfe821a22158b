import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startPostgres } from '../helper/outside-postgres.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'

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
    run.figure('answers', outcome.answers)
    run.figure('p99, ms', outcome.p99)
    run.figure('most connections', most)
    expect(outcome.faults).toEqual([])
    expect(Object.keys(outcome.statuses)).toEqual(['200'])
    expect(lost).toEqual([])
    expect(database.output()).not.toMatch(/too many clients|remaining connection slots/)
  },
)
