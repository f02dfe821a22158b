import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../../src/server/config.ts'
import { type Embedded, openEmbedded } from '../../src/server/database/embedded.ts'
import { launchBrowser, sizes } from '../e2e/browser.ts'
import { connections, type Duel, fight } from './load.ts'
import { type Cost, openCold, signIn } from './pages.ts'
import { type Running, startByHand, startProduct } from './servers.ts'

/** Rows of the table that is read and written. */
const rows = 100_000
const param = '/api/blade-system/param'

const lines: string[] = []
const say = (line: string): number => lines.push(line)
const load = (): string => `${os.loadavg()[0]?.toFixed(1)} over ${os.availableParallelism()} processors`

let folder: string
let product: Running
let browser: Browser
let database: Embedded
let pool: pg.Pool
let admin: Awaited<ReturnType<typeof signIn>>

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  browser = await launchBrowser()
})

afterAll(async () => {
  await browser?.close()
  await pool?.end()
  await product?.stop()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

test('starting', async () => {
  say(`Load of the machine before: ${load()}`)
  const bare = path.join(folder, 'bare')
  const empty = await startProduct(bare, false)
  await empty.stop()
  const first = await startProduct(path.join(folder, 'data'))
  await first.stop()
  product = await startProduct(path.join(folder, 'data'))
  say(`First start, database made, demo data seeded   ${first.seconds.toFixed(1)} s`)
  say(`First start without demo data                  ${empty.seconds.toFixed(1)} s`)
  say(`Seeding the demo data                          ${(first.seconds - empty.seconds).toFixed(1)} s`)
  say(`Second start                                   ${product.seconds.toFixed(1)} s`)
})

const told = (name: string, { script, files, time }: Cost): number =>
  say(
    `${name.padEnd(46)} ${(script / 1024).toFixed(1).padStart(6)} KiB in ${files.length} files, ${Math.round(time)} ms`,
  )

test('pages', async () => {
  const { url } = product
  admin = await signIn(browser, url, 'admin', demoPassword)
  const candidate = await signIn(browser, url, 'kaosheng', demoPassword)
  say('\nJavaScript that travelled until … (nothing cached)')
  const login = await openCold(browser, `${url}/login`, '#submit')
  const list = { storageState: admin.storageState }
  const first = await openCold(browser, `${url}/system/param`, '.ant-table-row', list)
  const home = { storageState: candidate.storageState, ...sizes.phone }
  const own = await openCold(browser, `${url}/wel/index`, '.my h1', home)
  told('… the sign-in page can be used', login)
  told('… the first rows of a list stand there', first)
  told('… the candidate’s home stands there', own)
  told(
    '… a list, slow phone and line',
    await openCold(browser, `${url}/system/param`, '.ant-table-row', { ...list, isSlow: true }),
  )
  told(
    '… the candidate’s home, slow phone and line',
    await openCold(browser, `${url}/wel/index`, '.my h1', { ...home, isSlow: true }),
  )
  expect(login.script).toBeLessThan(15 * 1024)
  expect(own.files.filter(file => /Screen|Staff|Sidebar|table/i.test(file))).toEqual([])
})

async function fill(): Promise<string> {
  database = await openEmbedded(path.join(folder, 'data'))
  pool = new pg.Pool({ ...database.connection, max: 1 })
  await pool.query(`INSERT INTO param ("paramName", "paramKey", "paramValue", remark, "createUser", "createTime")
    SELECT '参数 ' || md5(n::text), 'bench.' || n, repeat('值', 40), '第 ' || n || ' 行', (SELECT min(id) FROM "user"),
      timestamptz '2025-01-01' + n * interval '5 minutes' FROM generate_series(1, ${rows}) n`)
  await pool.query('VACUUM ANALYZE param')
  const { rows: found } = await pool.query<{ id: string }>(`SELECT id FROM param WHERE "paramKey" = 'bench.500'`)
  return found[0]?.id ?? ''
}

/** Different searches, so that a remembered total is not the whole answer. */
const searches = 40
let written = 0

const duels = (id: string): Duel[] => [
  {
    name: 'page of 10, text and date filter, sorted, total',
    requests: Array.from({ length: searches }, (_, i) => ({
      path: `${param}/page?paramName=${(i * 37).toString(16)}&createTime_dategt=2025-02-01%2000:00:00&createTime_datelt=2025-11-01%2000:00:00`,
    })),
  },
  { name: 'page of 10, sorted, total', requests: [{ path: `${param}/page` }] },
  { name: 'detail', requests: [{ path: `${param}/detail?id=${id}` }] },
  {
    name: 'create, validated, durable',
    requests: [
      {
        ...{ method: 'POST', path: `${param}/submit`, headers: { 'content-type': 'application/json' } },
        setupRequest: request => {
          const paramKey = `new.${++written}`
          return { ...request, body: JSON.stringify({ paramName: '新参数', paramKey, paramValue: '1' }) }
        },
      },
    ],
  },
]

test('requests', async () => {
  const id = await fill()
  const yardstick = await startByHand(database.connection)
  try {
    const same = await Promise.all(
      [product.url, yardstick.url].map(async url => {
        const found = await fetch(`${url}${param}/detail?id=${id}`, { headers: admin.headers })
        const { data } = (await found.json()) as { data: Record<string, unknown> }
        return Object.fromEntries(Object.entries(data).toSorted())
      }),
    )
    expect(same[0]).toEqual(same[1])
    say(
      `\nRequests per second, ${connections} connections, ${rows} rows; the yardstick asks nobody who he is (load ${load()})`,
    )
    say(`${''.padEnd(50)} product    p99   by hand    p99   ratio`)
    for (const duel of duels(id)) {
      const [own, other] = await fight(duel, [product.url, yardstick.url], admin.headers)
      const cells = [own.perSecond, own.p99, other.perSecond, other.p99].map(value => value.toFixed(0))
      const [a, b, c, d] = cells
      const ratio = (own.perSecond / other.perSecond).toFixed(2)
      say(
        `${duel.name.padEnd(50)} ${a?.padStart(7)} ${b?.padStart(4)}ms ${c?.padStart(9)} ${d?.padStart(4)}ms  ${ratio.padStart(6)}`,
      )
    }
  } finally {
    await yardstick.stop()
  }
})
