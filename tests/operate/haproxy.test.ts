import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { startDeployedHaproxy } from '../helper/haproxy.ts'
import { startPostgres } from '../helper/outside-postgres.ts'
import { startServers } from '../helper/servers.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { trial } from '../helper/trial.ts'
import { expectWhole } from '../helper/whole.ts'

const clients = 24
const processes = 3

/** How far calls may be from being spread evenly: who has just been started is given more of them. */
const uneven = 1.5

trial(
  'HAProxy before three processes, of which one is killed six times: no call fails that was not on its way to it',
  { needs: ['haproxy', 'postgres'] },
  async run => {
    const database = await startPostgres(run)
    const env = { DATABASE_URL: database.url, TRUST_PROXY: '127.0.0.1' }
    const { all, urls, headers } = await startServers(run, processes, env)
    const proxy = await startDeployedHaproxy(run, urls)
    const load = steadyLoad({ urls: [`http://${proxy}`], headers, writers: 8, readers: clients - 8, allowed: [502] })
    const kills = 6
    for (let kill = 0; kill < kills; kill++) {
      await sleep(2000)
      const one = all[kill % all.length]!
      await one.kill()
      await sleep(1000)
      await one.start()
    }
    await sleep(2000)
    const outcome = await load.end()
    const lost = await lostOf(load, database.query)
    const { 200: good = 0, ...failed } = outcome.statuses
    const errors = Object.values(failed).reduce((sum, n) => sum + n, 0)
    run.figure('answers', outcome.answers)
    run.figure('failed by status, of six kills', JSON.stringify(failed))
    run.figure('longest time without a saved row, ms', outcome.outage)
    run.figure('saved, of these lost', `${load.saved.length}, ${lost.length}`)
    expect(good).toBeGreaterThan(100)
    expect(outcome.faults).toEqual([])
    expect(lost).toEqual([])
    expect(outcome.bare).toBe(0)
    // One for each call that was at the process when it died.
    expect(errors).toBeLessThanOrEqual((kills * clients * uneven) / processes)
    await expectWhole(run, env)
  },
)
