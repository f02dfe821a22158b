import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JobServerType } from '#schemas/dictionaries'
import { DataScope } from '#schemas/system/data-scope'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import { insert } from '../../../../tests/helper/sample.ts'
import { versionOf } from '../../../../tests/helper/version.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { claim } from '../../../platform/queue/claim.ts'
import { enterDue, planUnplanned } from './instances.ts'

interface Told {
  authorization: string | undefined
  key: string | undefined
  body: Record<string, unknown>
}

let t: TestApp
let twin: TestApp
let admin: Session
let server: string
let builtInServer: string
let builtIn = 0

/** When every test begins; people are signed out half an hour later. */
const begin = '2026-11-21 12:00:00'

/** An application that is told what to do. */
let told: Told[] = []
let answer = async (): Promise<number> => 200
const application = http.createServer(async (request, reply) => {
  let text = ''
  for await (const part of request) text += part
  const { authorization, 'idempotency-key': key } = request.headers
  told.push({ authorization, key: String(key), body: JSON.parse(text) })
  reply.writeHead(await answer()).end('{}')
})

const post = <T = unknown>(path: string, payload: object = {}) =>
  t.call<T>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
/** Changes a job as somebody does who has just read it. */
const edit = async (id: string, more: object) =>
  post('job-info/submit', { id, version: await versionOf(t, 'job_info', id), ...more })
const hosts = (list: string) =>
  t.db.updateTable('param').set({ paramValue: list }).where('paramKey', '=', 'job.hosts').execute()

/** Moves the clock of both servers. */
function at(time: string): void {
  for (const one of [t, twin]) one.setNow(shanghai(time))
}

/** Both servers look at the same moment, several times, and end what they have begun. */
async function look(): Promise<void> {
  const one = async ({ app }: TestApp) => {
    await enterDue(app)
    await app.queue.workOff()
  }
  for (let i = 0; i < 3; i++) await Promise.all([t, twin].map(one))
}

beforeAll(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  const prepare = (app: TestApp['app']) =>
    app.jobs.every({ name: 'own-work', title: '自己的工作', seconds: 3600, work: async () => builtIn++ })
  t = await testApp({ prepare })
  twin = await testApp({ prepare, url: t.url })
  at(begin)
  admin = await loginAs(t, 'administrator')
  const { port } = application.address() as AddressInfo
  await hosts('127.0.0.1')
  const row = { jobServerName: '主', serverType: 3, jobServerUrl: `http://127.0.0.1:${port}/run`, jobAppName: 'juxian' }
  await post('job-server/submit', { ...row, jobAppPassword: 'Geheim-2' })
  const servers = t.db.selectFrom('job_server').select(['id', 'serverType'])
  server = (await servers.where('serverType', '=', JobServerType.webhook).executeTakeFirstOrThrow()).id
  builtInServer = (await servers.where('serverType', '=', JobServerType.builtIn).executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  application.close()
  await twin?.close()
  await t?.close()
})

const flush = () => Promise.all([t, twin].map(one => one.app.journal.flush()))

beforeEach(async () => {
  await flush()
  await t.pool.query('TRUNCATE job_info, job_instance, work_item, log_usual CASCADE')
  at(begin)
  told = []
  answer = async () => 200
})

async function add(more: object = {}): Promise<string> {
  const row = { jobServerId: server, jobName: '对账', processorInfo: 'dailyBill', timeExpression: '0 0 2 * * ?' }
  expect((await post('job-info/submit', { ...row, jobParams: 'a=1', ...more })).msg).toBe('操作成功')
  const found = t.db.selectFrom('job_info').select('id').orderBy('id', 'desc')
  return (await found.executeTakeFirstOrThrow()).id
}

/** Where a job stands: its last state, its next time, and the states of its runs. */
async function standing(id: string) {
  const jobs = t.db.selectFrom('job_info').select(['lastStatus', 'nextTime']).where('id', '=', id)
  const job = await jobs.executeTakeFirstOrThrow()
  const runs = await t.db.selectFrom('job_instance').select('state').where('jobInfoId', '=', id).orderBy('id').execute()
  return { last: job.lastStatus, next: wireTime(job.nextTime), runs: runs.map(one => one.state) }
}

const notes = async () => {
  await flush()
  const rows = await t.db.selectFrom('log_usual').select(['logLevel', 'logId', 'logData']).orderBy('id').execute()
  return rows.map(one => `${one.logLevel} ${one.logId} ${JSON.parse(one.logData ?? '{}').result}`)
}

test('run by hand, the application is told once, by whichever server; a note says what came of it', async () => {
  const id = await add()
  const { data } = await post<{ instanceId: string }>(`job-info/run?id=${id}`, { jobParams: 'b=2' })
  expect(told).toEqual([])
  await look()
  expect(told).toEqual([
    {
      authorization: `Basic ${Buffer.from('juxian:Geheim-2').toString('base64')}`,
      key: data.instanceId,
      body: {
        instanceId: data.instanceId,
        jobName: '对账',
        processorInfo: 'dailyBill',
        jobParams: 'b=2',
        extra: null,
      },
    },
  ])
  expect(await standing(id)).toEqual({ last: 5, next: '2026-11-22 02:00:00', runs: [5] })
  expect(await notes()).toEqual(['info job 对账 HTTP 200'])
})

test('by CRON, of two servers one does it each time; times that nobody was there for are not made up for', async () => {
  const id = await add()
  for (const time of ['2026-11-22 01:59:58', '2026-11-22 02:00:01', '2026-11-22 02:00:03', '2026-11-25 02:00:00']) {
    at(time)
    await look()
  }
  expect(told.map(one => one.body.jobParams)).toEqual(['a=1', 'a=1'])
  expect(await standing(id)).toEqual({ last: 5, next: '2026-11-26 02:00:00', runs: [5, 5] })
})

test('many jobs that are due at once are told once each', async () => {
  for (let i = 0; i < 12; i++) await add({ jobName: `任务${i}`, timeExpressionType: 3, timeExpression: '60000' })
  at('2026-11-21 12:01:00')
  for (let i = 0; i < 3; i++) await look()
  expect(told.map(one => one.body.jobName).toSorted()).toEqual(
    Array.from({ length: 12 }, (_, i) => `任务${i}`).toSorted(),
  )
})

test('a fixed delay begins when the run has ended', async () => {
  const id = await add({ timeExpressionType: 4, timeExpression: '60000' })
  expect((await standing(id)).next).toBe('2026-11-21 12:01:00')
  answer = async () => {
    at('2026-11-21 12:01:40')
    return 200
  }
  at('2026-11-21 12:01:00')
  await look()
  expect(await standing(id)).toEqual({ last: 5, next: '2026-11-21 12:02:40', runs: [5] })
})

test('what fails is tried again as often as the job says, and no oftener', async () => {
  const id = await add({ instanceRetryNum: 1 })
  answer = async () => 500
  await post(`job-info/run?id=${id}`)
  await look()
  expect([told.length, await standing(id)]).toEqual([1, { last: 3, next: '2026-11-22 02:00:00', runs: [1] }])
  at('2026-11-21 12:00:21')
  await look()
  at('2026-11-21 12:30:00')
  await look()
  expect([told.length, (await standing(id)).last]).toEqual([2, 4])
  expect(await notes()).toEqual(['error job 对账 HTTP 500'])
})

test('a run whose server has died is taken over once its time is up; without tries left it has failed', async () => {
  const [again, once_] = [await add({ instanceRetryNum: 1 }), await add()]
  for (const id of [again, once_]) await post(`job-info/run?id=${id}`)
  const dead = { node: 'dead', kinds: ['job.run'], rooms: new Map([['job', 5] as const]), now: t.app.now() }
  expect(await claim(twin.db, dead)).toHaveLength(2)
  await look()
  expect(told).toEqual([])
  await t.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second'`)
  await look()
  expect([(await standing(again)).last, (await standing(once_)).last, told.length]).toEqual([5, 4, 1])
})

test('a server that ends gives back what it has begun', async () => {
  const id = await add()
  await post(`job-info/run?id=${id}`)
  let hang = (): void => undefined
  answer = () => new Promise(done => (hang = () => done(200)))
  const ending = await testApp({ url: t.url, now: begin })
  const ended = ending.app.queue.workOff()
  await expect.poll(() => told.length).toBe(1)
  await ending.close()
  await ended
  hang()
  expect((await standing(id)).runs).toEqual([1])
  answer = async () => 200
  await look()
  expect([told.length, new Set(told.map(one => one.key)).size, (await standing(id)).last]).toEqual([2, 1, 5])
})

test('a job of this server is done here, one at a time', async () => {
  const id = await add({ jobServerId: builtInServer, processorInfo: 'own-work' })
  const before = builtIn
  await post(`job-info/run?id=${id}`)
  await look()
  expect([builtIn - before, told.length, (await standing(id)).last]).toEqual([1, 0, 5])
})

test('no more runs than it may have; none of what is switched off, not there, or removed since', async () => {
  const id = await add({ maxInstanceNum: 1, timeExpression: '0 10 12 * * ?' })
  const run = async (one: string) => (await post(`job-info/run?id=${one}`)).code
  expect((await Promise.all([run(id), run(id)])).toSorted()).toEqual([200, 200])
  at('2026-11-21 12:10:00')
  await look()
  expect((await standing(id)).runs.toSorted()).toEqual([5, 9, 9])
  expect([await run(id), (await post(`job-info/remove?ids=${id}`)).code]).toEqual([200, 200])
  await look()
  expect([told.length, (await standing(id)).runs.toSorted()]).toEqual([1, [5, 9, 9, 9]])
  const off = await add({ enable: 0 })
  expect([await run(off), await run('1'), (await standing(off)).next]).toEqual([29009, 29001, ''])
  await post(`job-info/change?id=${off}&enable=1`)
  expect((await standing(off)).next).toBe('2026-11-22 02:00:00')
})

test('an address that has been taken off the list since is not told', async () => {
  const id = await add()
  await hosts('jobs.example.org')
  await post(`job-info/run?id=${id}`)
  await look()
  await hosts('127.0.0.1')
  expect([told.length, (await standing(id)).last]).toEqual([0, 4])
  expect(await notes()).toEqual([expect.stringContaining('is not in job.hosts')])
})

test('a server with a clock looks by itself', async () => {
  const id = await add()
  const clock = await testApp({ url: t.url, now: begin, config: { jobs: true } })
  await post(`job-info/run?id=${id}`)
  await expect.poll(async () => (await standing(id)).last).toBe(5)
  await clock.close()
  expect(told).toHaveLength(1)
})

test('jobs without a time, as from before there was a clock, are planned', async () => {
  const id = await add()
  await t.db.updateTable('job_info').set({ nextTime: null }).execute()
  await planUnplanned(t.app)
  expect((await standing(id)).next).toBe('2026-11-22 02:00:00')
})

test('jobs whose expression names no time at all are paused; they never ran', async () => {
  const [never, over] = [await add(), await add()]
  const write = (id: string, timeExpression: string) =>
    t.db.updateTable('job_info').set({ nextTime: null, timeExpression }).where('id', '=', id).execute()
  await write(never, '0 0 2 30 2 ?')
  await write(over, '0 30 12 21 11 ? 2026')
  at('2026-11-22 00:00:00')
  await planUnplanned(t.app)
  const rows = await t.db.selectFrom('job_info').select(['id', 'enable']).orderBy('id').execute()
  expect(rows).toEqual([
    { id: never, enable: 0 },
    { id: over, enable: 1 },
  ])
})

test('changing something else leaves the plan as it is', async () => {
  const id = await add({ timeExpressionType: 3, timeExpression: '600000' })
  at('2026-11-21 12:05:00')
  await edit(id, { jobName: '新名' })
  expect((await standing(id)).next).toBe('2026-11-21 12:10:00')
  await edit(id, { timeExpression: '60000' })
  expect((await standing(id)).next).toBe('2026-11-21 12:06:00')
})

describe('its runs', () => {
  const runsOf = async (query: string, headers: Record<string, string> = admin.headers) =>
    t.call<{ records: { id: string; state: number }[]; total: number }>({
      url: `/api/blade-job/job-instance/page?${query}`,
      headers,
    })

  test('say when, how long, by whom and with what outcome, the newest first', async () => {
    const id = await add({ instanceRetryNum: 1 })
    await post(`job-info/run?id=${id}`, { jobParams: 'b=2' })
    answer = async () => {
      at(told.length === 1 ? '2026-11-21 12:00:03' : '2026-11-21 12:00:25')
      return told.length === 1 ? 500 : 200
    }
    await look()
    const [waiting] = (await runsOf(`jobInfoId=${id}`)).data.records
    expect(waiting).toMatchObject({ state: 1, tries: 1, result: 'HTTP 500', seconds: '', endTime: '' })
    at('2026-11-21 12:00:24')
    await look()
    answer = async () => 200
    at('2026-11-22 02:00:01')
    await look()
    admin = await loginAs(t, 'administrator')
    const { createUser } = await t.db.selectFrom('job_info').select('createUser').executeTakeFirstOrThrow()
    const { data } = await runsOf(`jobInfoId=${id}`)
    expect(data.records).toMatchObject([
      { trigger: 1, userIdName: '', planTime: '2026-11-22 02:00:00', seconds: '0', state: 5, tries: 1 },
      {
        trigger: 2,
        userId: createUser,
        jobInfoIdName: '对账',
        state: 5,
        tries: 2,
        result: 'HTTP 200',
        planTime: '2026-11-21 12:00:00',
        startTime: '2026-11-21 12:00:00',
        endTime: '2026-11-21 12:00:25',
        seconds: '25',
      },
    ])
    const second = await runsOf(`jobInfoId=${id}&size=1&current=2`)
    expect([second.data.total, second.data.records.map(one => one.id)]).toEqual([2, [data.records[1]?.id]])
    const url = `/api/blade-job/job-instance/detail?id=${data.records[1]?.id}`
    const whole = await t.call<object>({ url, headers: admin.headers })
    expect(whole.data).toMatchObject({ params: 'b=2', trigger: 2, seconds: '25' })
    expect(Object.keys(whole.data).filter(name => name.startsWith('lease'))).toEqual([])
  })

  test('are seen by whoever sees the job, and go with it', async () => {
    const id = await add()
    await post(`job-info/run?id=${id}`)
    await look()
    const codes = ['job_info', 'job_instance']
    const [clerk, other, stranger] = [
      await signIn(t, { role: 'job_clerk', permissions: codes }),
      await signIn(t, { permissions: codes, tenantId: '200002' }),
      await signIn(t, { permissions: ['wel', 'job_info'] }),
    ]
    const total = async ({ headers }: { headers: Record<string, string> }) => (await runsOf('', headers)).data.total
    expect([await total(clerk), await total(other), (await runsOf('', stranger.headers)).status]).toEqual([1, 0, 403])
    const own = {
      menuId: '1',
      resourceCode: 'own-jobs',
      scopeClass: 'job-info',
      scopeColumn: null,
      scopeType: 2,
    } as const
    const rule = await insert(t.app, DataScope, own)
    await t.pool.query(
      `INSERT INTO role_scope (category, "roleId", "scopeId") SELECT 1, id, $1 FROM role WHERE "roleAlias" = 'job_clerk'`,
      [rule.id],
    )
    expect(await total(clerk)).toBe(0)
    await t.db.updateTable('job_info').set({ createUser: clerk.userId }).execute()
    expect(await total(clerk)).toBe(1)
    expect((await post(`job-info/remove?ids=${id}`)).code).toBe(200)
    expect(await total(admin)).toBe(0)
  })
})
