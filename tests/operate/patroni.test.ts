import { expect } from 'vitest'
import { startPrimaryHaproxy } from '../helper/haproxy.ts'
import { role } from '../helper/outside-postgres.ts'
import { lease, type PatroniCluster, startPatroni } from '../helper/patroni.ts'
import { startServers } from '../helper/servers.ts'
import { eventually } from '../helper/soon.ts'
import { lostOf, steadyLoad } from '../helper/steady-load.ts'
import { type Trial, trial } from '../helper/trial.ts'
import { expectWhole } from '../helper/whole.ts'

/** Milliseconds for which nothing may be saved: until the lease of a primary that is gone has ended, and a little; by order less. */
const bounds = { lost: (lease.ttl + 5) * 1000, ordered: 5000 }

/** One way to the database, and who is served by it. */
interface Way {
  name: string
  url: string
  headers: Record<string, string>
}

/** Loads all ways while something happens to the primary, until each saves again; looks what became of it. */
async function during(
  run: Trial,
  cluster: PatroniCluster,
  ways: readonly Way[],
  what: string,
  bound: number,
  happens: () => Promise<void>,
): Promise<void> {
  const before = await cluster.primary()
  const loads = ways.map(({ name, url, headers }) =>
    // A key has no spaces.
    steadyLoad({ urls: [url], headers, name: `${what}.${name}`.replaceAll(' ', '-') }),
  )
  const moreSaved = async (than: readonly number[], count: number) =>
    eventually(() => {
      for (const [at, { saved }] of loads.entries()) expect(saved.length).toBeGreaterThan(than[at]! + count)
    }, 90_000)
  await moreSaved([0, 0], 30)
  await happens()
  await eventually(async () => expect((await cluster.primary()).name).not.toBe(before.name), 60_000)
  await moreSaved(
    loads.map(({ saved }) => saved.length),
    30,
  )
  const outcomes = await Promise.all(loads.map(load => load.end()))
  const now = await cluster.primary()
  for (const [at, { name }] of ways.entries()) {
    const { outage, statuses, refusedP99, longest, faults, losses, bare } = outcomes[at]!
    const lost = await lostOf(loads[at]!, sql => cluster.query(now, sql))
    const saved = loads[at]!.saved.length
    run.figure(
      `${what}, ${name}`,
      `${outage} ms without a saved row; ${saved} saved, ${lost.length} lost; ${JSON.stringify(statuses)}; refused within ${refusedP99} ms (p99), longest ${longest} ms`,
    )
    expect(lost).toEqual([])
    expect(faults).toEqual([])
    expect(losses).toEqual([])
    expect(Object.keys(statuses).filter(status => !['200', '503'].includes(status))).toEqual([])
    expect(bare).toBe(0)
    expect(outage).toBeLessThan(bound)
  }
}

trial(
  'Patroni: the primary is killed, changed by order, frozen and thawed; by HAProxy and by an address of both hosts',
  { needs: ['patroni', 'etcd', 'python3/dist-packages/etcd', 'haproxy', 'postgres'], minutes: 15 },
  async run => {
    const cluster = await startPatroni(run)
    const proxy = await startPrimaryHaproxy(run, cluster.members)
    const byProxy = `postgresql://${role.user}:${role.password}@${proxy}/${role.database}`
    const one = await startServers(run, 1, { DATABASE_URL: byProxy })
    const other = await startServers(run, 1, { DATABASE_URL: cluster.url })
    const ways = [
      { name: 'HAProxy', url: one.urls[0]!, headers: one.headers },
      { name: 'both hosts', url: other.urls[0]!, headers: other.headers },
    ]

    const killed = await cluster.primary()
    await during(run, cluster, ways, 'killed', bounds.lost, async () => killed.kill())
    killed.start()
    await cluster.settled()

    await during(run, cluster, ways, 'by order', bounds.ordered, () => cluster.switchOver())
    await cluster.settled()

    const frozen = await cluster.primary()
    await during(run, cluster, ways, 'frozen', bounds.lost, async () => frozen.freeze())
    const back = performance.now()
    frozen.thaw()
    await cluster.settled()
    run.figure('thawed, ms until it is the synchronous standby', Math.round(performance.now() - back))
    const counts = cluster.members.map(member => cluster.query(member, 'SELECT count(*) FROM param'))
    const [first, second] = await Promise.all(counts)
    expect(first).toEqual(second)
    await expectWhole(run, { DATABASE_URL: cluster.url })
  },
)
