import { chmod, mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import type { Browser } from '@playwright/test'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { demoPassword } from '../../src/platform/config/config.ts'
import { type Embedded, openEmbedded } from '../../src/platform/database/embedded/embedded.ts'
import { launchBrowser } from '../../tests/e2e/browser.ts'
import { fillPosts } from './fill.ts'
import { heapAfter, lists } from './held.ts'
import { signIn } from './pages.ts'
import { type Running, startProduct } from './servers.ts'
import { type Shown, type Sign, SlowWindow } from './slow.ts'
import { buildStarter, ownPages, servePages } from './starter.ts'

/** Times that each contestant is asked, in turn with the other. */
const turns = Number(process.env.TURNS ?? 9)

/** A contestant: where its pages are and what shows that they are there. */
interface Contestant {
  name: string
  url: string
  storage: Record<string, string>
  login: Sign
  /** The list that is opened first, and the one gone to from there. */
  first: { path: string; sign: Sign }
  next: { link: string; sign: Sign }
}

let folder: string
let product: Running
let browser: Browser
let database: Embedded
let pool: pg.Pool
const contestants: Contestant[] = []
const closing: (() => Promise<void>)[] = []
const lines: string[] = []

const post = '/blade-system/post'
const signup = '/blade-signup/signup'

/** What stands in the first row of a list. */
async function signOf(headers: Record<string, string>, address: string, field: string): Promise<Sign> {
  const answer = await fetch(`${product.url}/api${address}/page`, { headers })
  const { data } = (await answer.json()) as { data: { records: Record<string, string>[] } }
  return { selector: '.ant-table-tbody .ant-table-row', text: data.records[0]?.[field], least: 10 }
}

async function addContestants(): Promise<void> {
  const served = await Promise.all([ownPages, await buildStarter()].map(pages => servePages(pages, product.url)))
  for (const { close } of served) closing.push(close)
  const { headers, storageState } = await signIn(browser, product.url, 'admin', demoPassword)
  const storage = Object.fromEntries(storageState.origins[0]?.localStorage.map(one => [one.name, one.value]) ?? [])
  const [posts, signups] = await Promise.all([signOf(headers, post, 'postName'), signOf(headers, signup, 'signNo')])
  contestants.push({
    name: 'product',
    url: served[0]?.url ?? '',
    storage,
    login: { selector: '#submit' },
    first: { path: '/system/post', sign: posts },
    next: { link: '.side-menu >> text="报名"', sign: signups },
  })
  contestants.push({
    name: 'starter',
    url: served[1]?.url ?? '',
    storage: { 'refine-auth': headers['blade-auth'].replace('bearer ', '') },
    login: { selector: 'button[type=submit]' },
    first: { path: '/posts', sign: posts },
    next: { link: '.ant-menu-item >> text="Signups"', sign: signups },
  })
}

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'juxian-bench-'))
  // User nobody, who runs PostgreSQL when root runs this, must get in.
  await chmod(folder, 0o755)
  browser = await launchBrowser()
  product = await startProduct(path.join(folder, 'data'))
  database = await openEmbedded(path.join(folder, 'data'))
  pool = new pg.Pool({ ...database.connection, max: 1 })
  await fillPosts(pool)
  await addContestants()
}, 300_000)

afterAll(async () => {
  await browser?.close()
  for (const close of closing) await close()
  await pool?.end()
  await product?.stop()
  await database?.close()
  await rm(folder, { recursive: true, force: true })
  console.log(`\n${lines.join('\n')}\n`)
})

const at = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

/** Asks all contestants in turn; says what each took and answers the product's share of the starter's median. */
async function compare(name: string, ask: (who: Contestant) => Promise<Shown>): Promise<number> {
  const found = new Map<string, Shown[]>(contestants.map(who => [who.name, []]))
  for (let turn = 0; turn < turns; turn++) for (const who of contestants) found.get(who.name)?.push(await ask(who))
  lines.push(`\n${name} (load ${os.loadavg()[0]?.toFixed(1)} over ${os.availableParallelism()} processors)`)
  const medians = [...found].map(([who, shown]) => {
    const times = shown.map(one => one.time)
    const { bytes = 0, requests = 0 } = shown.at(-1) ?? {}
    const [median, p90] = [at(times, 0.5), at(times, 0.9)].map(time => time.toFixed(0).padStart(6))
    lines.push(
      `${who.padEnd(8)} median ${median} ms, p90 ${p90} ms; ${(bytes / 1024).toFixed(1)} KiB in ${requests} answers`,
    )
    return at(times, 0.5)
  })
  const ratio = (medians[0] ?? Number.NaN) / (medians[1] ?? Number.NaN)
  lines.push(`ratio    ${ratio.toFixed(2)}`)
  return ratio
}

async function alone(storage: Record<string, string>, url: string, work: (window: SlowWindow) => Promise<Shown>) {
  const window = await SlowWindow.open(browser, url, storage)
  try {
    return await work(window)
  } finally {
    await window.close()
  }
}

test('signing in can begin', { timeout: 600_000 }, async () => {
  const ask = ({ url, login }: Contestant) => alone({}, url, window => window.visit('/login', login))
  expect(await compare('The sign-in page can be used', ask)).toBeLessThan(0.25)
})

test('first list', { timeout: 600_000 }, async () => {
  const ask = ({ url, storage, first }: Contestant) =>
    alone(storage, url, window => window.visit(first.path, first.sign))
  expect(await compare('The first list is painted, nothing cached', ask)).toBeLessThan(0.85)
})

test('from list to list', { timeout: 600_000 }, async () => {
  const ask = ({ url, storage, first, next, name }: Contestant) =>
    alone(storage, url, async window => {
      await window.visit(first.path, first.sign)
      if (name === 'product') await window.page.locator('.side-menu').getByText('报名审核', { exact: true }).click()
      await window.calm()
      return window.press(next.link, next.sign)
    })
  expect(await compare('From a list to another one, not opened before', ask)).toBeLessThan(0.5)
})

test('thirty lists opened and closed leave nothing behind', { timeout: 600_000 }, async () => {
  const [who] = contestants
  const context = await browser.newContext({ locale: 'zh-CN' })
  await context.addInitScript(kept => Object.assign(localStorage, kept), who?.storage ?? {})
  const page = await context.newPage()
  await page.goto(`${who?.url}/wel/index`)
  const { before, after } = await heapAfter(page, lists)
  const tell = ({ heap, nodes }: typeof before) => `${(heap / 1024 / 1024).toFixed(2)} MiB, ${nodes} nodes`
  lines.push(
    `\nMemory of the page before ${tell(before)}; after ${lists.length} lists, opened and closed, ${tell(after)}`,
  )
  await context.close()
  expect(after.heap / before.heap).toBeLessThan(1.1)
})
