import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { askToken, makeUser } from '../../../tests/helper/login.ts'
import { type Caller, signIn } from '../../../tests/helper/person.ts'
import { makeTemplate } from '../../../tests/helper/send-bench.ts'
import { metrics } from './table.ts'

/** A line of a metric: its name, its labels and its value. */
interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

/** What somebody who asks for metrics is told, read as the text format of Prometheus 0.0.4 has it. */
function read(text: string) {
  const helps = new Set<string>()
  const kinds = new Map<string, string>()
  const samples: Sample[] = []
  for (const line of text.split('\n').filter(Boolean)) {
    const [, what, about = '', rest = ''] = /^# (HELP|TYPE) (\w+) (.+)$/.exec(line) ?? []
    if (what === 'HELP') helps.add(about)
    else if (what === 'TYPE') kinds.set(about, rest)
    else {
      // What has no value yet is not a number, in letters of any size.
      const [, name, labels = '', value] = /^([a-z_]\w*)(?:\{(.*)\})? (-?[\d.e+-]+|\+Inf|NaN)$/i.exec(line) ?? []
      if (name === undefined) throw new Error(`This is no metric: ${line}`)
      const pairs = [...labels.matchAll(/(\w+)="((?:[^"\\]|\\.)*)",?/g)].map(([, key = '', text = '']) => [key, text])
      samples.push({ name, labels: Object.fromEntries(pairs), value: Number(value) })
    }
  }
  return { helps, kinds, samples }
}

let t: TestApp
let url: string
let staff: Caller
beforeAll(async () => {
  t = await testApp({ config: { metricsPort: 0 } })
  url = (await t.app.serveMetrics())!
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(() => t?.close())

const scrape = async () => read(await (await fetch(url)).text())
type Scraped = Awaited<ReturnType<typeof scrape>>

/** What stands at a name, all with these labels together. */
const total = ({ samples }: Scraped, name: string, labels: Record<string, string> = {}): number =>
  samples
    .filter(one => one.name === `juxian_${name}` && Object.entries(labels).every(([key, at]) => one.labels[key] === at))
    .reduce((sum, { value }) => sum + value, 0)

const page = '/api/blade-desk/notice/page'

test('calls, sign-ins, statements and connections are counted', async () => {
  await makeUser(t, { account: 'teller' })
  const before = await scrape()
  for (let n = 0; n < 10; n++)
    await Promise.all(
      Array.from({ length: 10 }, () => t.call({ url: `${page}?current=1&size=10`, headers: staff.headers })),
    )
  await t.call(page)
  await t.call('/api/nothing/430102198001010017')
  await askToken(t, 'teller')
  await askToken(t, 'teller', 'Wrong@2026')
  const after = await scrape()
  const grown = (name: string, labels?: Record<string, string>) =>
    total(after, name, labels) - total(before, name, labels)
  expect(grown('http_seconds_count', { route: page, method: 'GET', status: '2xx' })).toBe(100)
  expect(grown('http_seconds_bucket', { route: page, method: 'GET', status: '2xx', le: '+Inf' })).toBe(100)
  expect(grown('http_seconds_sum', { route: page, status: '2xx' })).toBeGreaterThan(0)
  expect(grown('http_seconds_count', { route: page, status: '4xx' })).toBe(1)
  expect(grown('http_seconds_count', { status: '4xx' })).toBe(3)
  expect([grown('login_total', { outcome: 'done' }), grown('login_total', { outcome: 'refused' })]).toEqual([1, 1])
  expect(grown('db_query_seconds_count', { kind: 'select' })).toBeGreaterThan(10)
  expect(grown('db_wait_seconds_count')).toBeGreaterThan(10)
  const { totalCount } = t.app.pool
  expect(total(after, 'db_pool', { state: 'used' }) + total(after, 'db_pool', { state: 'idle' })).toBe(totalCount)
  expect(total(after, 'sessions')).toBeGreaterThanOrEqual(2)
  expect(total(after, 'disk_free_bytes')).toBeGreaterThan(1024 ** 2)
  expect(total(after, 'disk_bytes')).toBeGreaterThan(total(after, 'disk_free_bytes'))
})

test('work that waits and messages are counted', async () => {
  const before = await scrape()
  await t.pool.query(
    `INSERT INTO work_item (kind, lane, state, "tenantId", priority, "runAt", tries, "maxTries", payload, "createTime", "updateTime")
     VALUES ('metrics.test', 'job', 1, '000000', 0, now() - interval '90 seconds', 0, 1, NULL, now(), now())`,
  )
  const { smsCode } = await makeTemplate(t)
  await t.app.sms.send({ id: '1', tenantId: '000000', smsCode, phone: '13911112222', params: {} })
  const after = await scrape()
  expect(total(after, 'work_age_seconds', { kind: 'metrics.test' })).toBeGreaterThan(89)
  expect(total(after, 'sms_total', { outcome: 'sent' }) - total(before, 'sms_total', { outcome: 'sent' })).toBe(1)
  expect(total(after, 'channel_seconds_count', { channel: 'sms' })).toBeGreaterThan(0)
})

test('every metric says what it is, no gauge is called a count, and there are few enough of them', async () => {
  const { helps, kinds, samples } = await scrape()
  const family = (name: string) => (kinds.has(name) ? name : name.replace(/_(bucket|sum|count)$/, ''))
  const names = [...new Set(samples.map(({ name }) => family(name)))]
  expect(names.filter(name => !helps.has(name) || !kinds.has(name))).toEqual([])
  expect(names.filter(name => !name.startsWith('juxian_'))).toEqual([])
  const totals = names.filter(name => name.endsWith('_total'))
  expect(totals.filter(name => kinds.get(name) !== 'counter')).toEqual([])
  expect([...kinds].filter(([name, kind]) => kind === 'counter' && !name.endsWith('_total'))).toEqual([])
  expect(samples.length).toBeLessThan(2000)
  const always = Object.keys(metrics).filter(name => !/^(db_replica_lag|backup_age|audit_chain)/.test(name))
  expect(always.filter(name => !kinds.has(`juxian_${name}`))).toEqual([])
})

test('no label holds an id, a name, a number or an address', async () => {
  const { samples } = await scrape()
  const values = new Set(
    samples.flatMap(({ labels }) => Object.entries(labels)).map(([name, value]) => `${name}=${value}`),
  )
  const private_ = [...values].filter(text => /\d{5,}|teller|admin\b|\d+\.\d+\.\d+\.\d+|[^\x20-\x7e]/.test(text))
  expect(private_).toEqual([])
})

test('however many routes are called, the series stay few', async () => {
  const paths = [...t.app.printRoutes({ commonPrefix: false }).matchAll(/(\/api\/[\w/-]+) \(/g)].map(([, path]) => path)
  const { paths: known } = (await t.app.inject('/api/docs/json')).json() as { paths: Record<string, object> }
  const all = [...new Set([...paths, ...Object.keys(known)])].filter(path => path !== undefined)
  expect(all.length).toBeGreaterThan(200)
  for (const path of all) await t.app.inject({ url: path.replace(/\{\w+\}/g, 'x') })
  const found = await scrape()
  expect(found.samples.length).toBeLessThan(2000)
  expect(total(found, 'http_seconds_count', { route: 'other' })).toBeGreaterThan(0)
})

test('nothing else is answered there, and metrics nowhere else', async () => {
  expect((await fetch(url.replace('/metrics', '/api/public/live'))).status).toBe(404)
  expect((await fetch(url, { method: 'POST' })).status).toBe(404)
  expect((await t.app.inject('/metrics')).headers['content-type']).not.toContain('version=')
})

test('without a port nothing is counted', async () => {
  const other = await testApp({ url: t.url })
  expect(await other.app.serveMetrics()).toBeNull()
  expect(other.app.meter.isOn).toBe(false)
  await other.close()
})
