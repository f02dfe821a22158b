import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JobInstanceStatus, JobServerType, WorkState } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { versionOf } from '../../../../tests/helper/version.ts'
import { aliveNodes } from '../../../platform/queue/nodes.ts'
import { enterDue } from './instances.ts'
import { sweepGone } from './tasks.ts'

// Two servers on one database do the work of jobs. The clock of jobs is the real one; what waits twenty seconds is brought forward.

let t: TestApp
let twin: TestApp
let admin: Session
let server: string

/** What processors were told to do, by the name of the process. */
let seen: { node: string; what: unknown }[] = []
let reduced: (readonly string[])[] = []
/** What a part does before it ends. */
let partly: (node: string, part: unknown) => Promise<void> = async () => undefined

function prepare(app: TestApp['app']): void {
  app.processors.add({
    name: 'count',
    title: '计数',
    run: async ({ node, params, log }) => {
      log('info', `params ${params}`)
      log('debug', 'too much')
      seen.push({ node, what: params })
      return 'ok'
    },
    broadcast: async ({ node }) => {
      seen.push({ node, what: 'each' })
      return node
    },
    map: async () => Array.from({ length: 20 }, (_, at) => ({ at })),
    part: async ({ node }, part) => {
      await partly(node, part)
      seen.push({ node, what: part })
      return String((part as { at: number }).at)
    },
    reduce: async (_ctx, results) => {
      reduced.push(results)
      return String(results.reduce((sum, one) => sum + Number(one), 0))
    },
  })
  app.processors.add({
    name: 'hang',
    title: '不停',
    run: ({ signal }) => new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason))),
  })
  app.processors.add({ name: 'deaf', title: '不听', run: () => new Promise(() => undefined) })
  app.processors.add({
    name: 'fail',
    title: '失败',
    run: async () => {
      throw new Error('no luck')
    },
  })
}

const post = <T = { instanceId: string }>(path: string, payload: object = {}) =>
  t.call<T>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
/** Changes a job as somebody does who has just read it. */
const edit = async (id: string, more: object) =>
  post('job-info/submit', { id, version: await versionOf(t, 'job_info', id), ...more })
const get = <T>(path: string) => t.call<T>({ url: `/api/blade-job/${path}`, headers: admin.headers })

beforeAll(async () => {
  t = await testApp({ prepare })
  twin = await testApp({ prepare, url: t.url })
  admin = await loginAs(t, 'administrator')
  const servers = t.db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.builtIn)
  server = (await servers.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

/** Both processes are alive, or only some. */
async function alive(...of: TestApp[]): Promise<void> {
  await t.pool.query('DELETE FROM app_node')
  for (const one of of)
    await t.pool.query('INSERT INTO app_node VALUES ($1, clock_timestamp(), clock_timestamp())', [one.app.queue.node])
}

beforeEach(async () => {
  await t.pool.query('TRUNCATE job_info, job_instance, job_log, work_item CASCADE')
  await alive(t, twin)
  seen = []
  reduced = []
  partly = async () => undefined
})

let made = 0
async function add(more: object): Promise<string> {
  const jobName = `任务${++made}`
  const row = { jobServerId: server, jobName, processorInfo: 'count', timeExpressionType: 1, ...more }
  expect((await post('job-info/submit', row)).msg).toBe('操作成功')
  return (await t.db.selectFrom('job_info').select('id').where('jobName', '=', jobName).executeTakeFirstOrThrow()).id
}
const run = async (id: string) => (await post(`job-info/run?id=${id}`)).data.instanceId

/** What waits for its next try need not wait. */
const hurry = () =>
  t.db
    .updateTable('work_item')
    .set({ runAt: new Date(0) })
    .where('state', '=', WorkState.waiting)
    .execute()
const work = (...of: TestApp[]) => Promise.all((of.length > 0 ? of : [t, twin]).map(one => one.app.queue.workOff()))
/** Works until the first run has ended; how often that takes depends on who of several gets what. */
async function workUp(...of: TestApp[]): Promise<void> {
  for (let i = 0; i < 30 && !ended.includes((await first())?.state as number); i++) {
    await hurry()
    await work(...of)
  }
}
const ended: readonly number[] = [JobInstanceStatus.succeeded, JobInstanceStatus.failed]
const runs = () => t.db.selectFrom('job_instance').select(['id', 'state', 'result', 'tries']).orderBy('id').execute()
const first = async () => (await runs())[0]

test('alone, one process does it; its lines are in the log of the run as far as its job wants them', async () => {
  const id = await run(await add({ jobParams: 'a=1' }))
  await work()
  expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, result: 'ok', tries: 1 })
  expect(seen.map(one => one.what)).toEqual(['a=1'])
  const { data } = await get<{ records: { text: string; node: string }[] }>(`job-log/page?instanceId=${id}`)
  expect(data.records.map(one => one.text).toSorted()).toEqual(['ok', 'params a=1'])
  expect([t, twin].map(one => one.app.queue.node)).toContain(data.records[0]?.node)
})

test('broadcast, each process does it once', async () => {
  await run(await add({ executeType: 2 }))
  await work()
  await work()
  expect(seen.map(one => one.node).toSorted()).toEqual([t, twin].map(one => one.app.queue.node).toSorted())
  expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, result: '2个子任务完成' })
})

test('broadcast, what a process that has gone was to do has failed', async () => {
  await run(await add({ executeType: 2 }))
  await work(t)
  expect((await first())?.state).toBe(JobInstanceStatus.running)
  await alive(t)
  expect(await Promise.all([sweepGone(t.app), sweepGone(t.app)])).toContain(1)
  expect(await first()).toMatchObject({ state: JobInstanceStatus.failed, result: '2个子任务中1个失败：进程已退出' })
  await work(twin)
  expect(seen).toHaveLength(1)
})

test.each([
  [4, '20个子任务完成', 0],
  [3, '190', 1],
])(
  'in parts (%i), each is done once by any process, and they are put together once',
  async (executeType, result, times) => {
    await run(await add({ executeType }))
    await workUp()
    expect(seen.map(one => (one.what as { at: number }).at).toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 20 }, (_, at) => at),
    )
    expect(reduced).toHaveLength(times)
    if (times) expect(reduced[0]).toEqual(Array.from({ length: 20 }, (_, at) => String(at)))
    expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, result })
  },
)

test('a part whose process has died is done by another; what the first still answers is not taken', async () => {
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  partly = async (node, part) => {
    if (node === twin.app.queue.node && (part as { at: number }).at === 3) await held
  }
  await run(await add({ executeType: 3, taskRetryNum: 1 }))
  await t.app.queue.workOff().catch(() => 0)
  await hurry()
  // Whichever has it: the lease of what is still running is over.
  await t.pool.query(`UPDATE work_item SET "leaseUntil" = now() - interval '1 second' WHERE state = 3`)
  await workUp(t)
  release()
  expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, result: '190' })
  expect(reduced).toHaveLength(1)
})

test('a part that fails is tried again as often as the job says; then the run has failed, or is begun anew', async () => {
  const tries = new Map<number, number>()
  partly = async (_node, part) => {
    const { at } = part as { at: number }
    tries.set(at, (tries.get(at) ?? 0) + 1)
    if (at === 7 && (tries.get(at) ?? 0) < 4) throw new Error('bad part')
  }
  await run(await add({ executeType: 4, taskRetryNum: 1, instanceRetryNum: 1 }))
  await workUp()
  expect(tries.get(7)).toBe(4)
  expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, tries: 2, result: '20个子任务完成' })
})

test('as many parts of one job at once in a process as the job says', async () => {
  let now = 0
  let highest = 0
  partly = async () => {
    highest = Math.max(highest, ++now)
    await sleep(30)
    now--
  }
  await run(await add({ executeType: 4, concurrency: 2 }))
  await workUp(t)
  expect([highest, (await first())?.state]).toEqual([2, JobInstanceStatus.succeeded])
})

test.each(['hang', 'deaf'])(
  '%s: what takes too long is called off, tried again, and has failed with one alarm',
  async processorInfo => {
    const { userId } = await t.db
      .selectFrom('user')
      .select('id as userId')
      .where('account', '=', 'admin')
      .executeTakeFirstOrThrow()
    await t.pool.query('TRUNCATE notice, send CASCADE')
    await run(await add({ processorInfo, instanceTimeLimit: 300, instanceRetryNum: 1, notifyUserIds: userId }))
    for (let i = 0; i < 3; i++) {
      await hurry()
      await work()
    }
    expect(await first()).toMatchObject({ state: JobInstanceStatus.failed, result: '超时', tries: 2 })
    const told = await t.db.selectFrom('notice').select(['title', 'content']).execute()
    expect(told.map(one => one.title)).toEqual([`任务失败：任务${made}`])
    expect(told[0]?.content).toContain('超时')
  },
)

test('alarms: at the threshold within the window, and one for as long as the silence lasts', async () => {
  const { userId } = await t.db
    .selectFrom('user')
    .select('id as userId')
    .where('account', '=', 'admin')
    .executeTakeFirstOrThrow()
  await t.pool.query('TRUNCATE notice, send CASCADE')
  const window = { alertThreshold: 3, statisticWindowLen: 60, silenceWindowLen: 300 }
  const id = await add({ processorInfo: 'fail', notifyUserIds: userId, ...window })
  const notices = async () => (await t.db.selectFrom('notice').select('id').execute()).length
  for (let i = 0; i < 2; i++) await run(id)
  await work()
  expect(await notices()).toBe(0)
  for (let i = 0; i < 8; i++) await run(id)
  await work()
  expect((await runs()).filter(one => one.state === JobInstanceStatus.failed)).toHaveLength(10)
  expect(await notices()).toBe(1)
})

test('more than it may have: the second is entered as called off', async () => {
  const id = await add({ maxInstanceNum: 1 })
  const [one, two] = [await run(id), await run(id)]
  await work()
  expect(await runs()).toEqual([
    { id: one, state: JobInstanceStatus.succeeded, result: 'ok', tries: 1 },
    { id: two, state: JobInstanceStatus.cancelled, result: 'too many instances(2>1)', tries: 0 },
  ])
})

test('of one time of the clock there is one run, whoever looks', async () => {
  const id = await add({ timeExpressionType: 2, timeExpression: '0 0 2 * * ?' })
  const due = new Date(Date.now() - 60_000)
  for (let i = 0; i < 3; i++) {
    await t.db.updateTable('job_info').set({ nextTime: due }).where('id', '=', id).execute()
    await Promise.all([t, twin].map(one => enterDue(one.app)))
  }
  expect(await runs()).toHaveLength(1)
})

test('by process, where its job names one; another takes it up when that one has gone', async () => {
  const id = await add({ designatedWorkers: twin.app.queue.node })
  await run(id)
  await work(t)
  expect(seen).toEqual([])
  await work(twin)
  expect(seen.map(one => one.node)).toEqual([twin.app.queue.node])
  await edit(id, { designatedWorkers: `${twin.app.queue.node},${t.app.queue.node}` })
  for (let i = 0; i < 5; i++) await run(id)
  await alive(t)
  await sweepGone(t.app)
  await work(t)
  expect(seen).toHaveLength(6)
})

test('a paused job is run when that is confirmed', async () => {
  const id = await add({ enable: 0 })
  expect((await post(`job-info/run?id=${id}`)).code).toBe(29009)
  expect((await post(`job-info/run?id=${id}&confirm=1`)).code).toBe(200)
  await work()
  expect(seen).toHaveLength(1)
})

describe('what the built-in server cannot do is refused on submit', () => {
  test.each([
    [{ processorInfo: 'no-such' }, '没有名为no-such的处理器'],
    [{ processorInfo: 'fail', executeType: 2 }, '该处理器不支持广播执行'],
    [{ processorInfo: 'http', executeType: 4 }, '该处理器不支持Map'],
    [{ processorType: 4 }, '内置任务服务没有外部处理器'],
    [{ minCpuCores: '2' }, '内置任务服务不按机器条件挑选'],
    [{ maxWorkerCount: 1 }, '内置任务服务不按机器条件挑选'],
    [{ concurrency: 21 }, '单机线程并发数应为 1 到 20'],
    [{ designatedWorkers: 'nobody-1' }, '没有名为nobody-1的进程'],
    [{ processorInfo: 'http', jobParams: 'x' }, '任务参数应为JSON'],
    [{ processorInfo: 'http', jobParams: '{"url":"ftp://a.example/"}' }, '任务参数的url'],
    [{ processorInfo: 'http', jobParams: '{"url":"http://u:p@a.example/"}' }, '任务参数的url'],
    [{ processorInfo: 'http', jobParams: '{"url":"http://a.example/"}' }, 'job.hosts'],
    [{ processorInfo: 'http', jobParams: '{"url":"http://a.example/","timeout":0}' }, 'timeout'],
    [{ processorInfo: 'http', jobParams: '{"url":"http://a.example/","headers":{"Host":"b"}}' }, 'headers'],
  ])('%j', async (more, words) => {
    const row = { jobServerId: server, jobName: '任务', processorInfo: 'count', timeExpressionType: 1, ...more }
    const answer = await post('job-info/submit', row)
    expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining(words)])
  })
})

test('http: one call of the address with a key that stays the same', async () => {
  const asked: { method: string | undefined; key: unknown; own: unknown; body: string }[] = []
  let status = 500
  const address = http.createServer(async (request, reply) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const { 'idempotency-key': key, 'x-own': own } = request.headers
    asked.push({ method: request.method, key, own, body })
    reply.writeHead(status).end('{}')
    status = 200
  })
  address.listen(0, '127.0.0.1')
  await once(address, 'listening')
  const { port } = address.address() as AddressInfo
  await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
  const jobParams = { method: 'PUT', url: `http://127.0.0.1:${port}/do`, headers: { 'X-Own': 'yes' }, body: { a: 1 } }
  const id = await run(await add({ processorInfo: 'http', jobParams: JSON.stringify(jobParams), instanceRetryNum: 1 }))
  await work()
  await hurry()
  await work()
  address.close()
  expect(await first()).toMatchObject({ state: JobInstanceStatus.succeeded, result: 'HTTP 200', tries: 2 })
  const call = { method: 'PUT', key: id, own: 'yes', body: '{"a":1}' }
  expect(asked).toEqual([call, call])
})

test('processors and processes are listed to choose from', async () => {
  const { data } = await get<{ name: string; title: string }[]>(`job-info/processors?jobServerId=${server}`)
  expect(data).toContainEqual({ name: 'http', title: '调用地址' })
  expect(data.map(one => one.name)).toEqual(expect.arrayContaining(['count', 'pay-books']))
  expect((await get<unknown[]>('job-info/processors?jobServerId=1')).data).toEqual([])
  const workers = (await get<{ name: string; isHere: boolean }[]>('job-server/workers')).data
  expect(workers.map(one => one.name).toSorted()).toEqual((await aliveNodes(t.app)).toSorted())
  expect(workers.filter(one => one.isHere)).toHaveLength(1)
})
