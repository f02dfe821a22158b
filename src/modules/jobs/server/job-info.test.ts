import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { versionOf } from '../../../../tests/helper/version.ts'

let t: TestApp
let admin: Session
let server: string

const post = (path: string, payload: object = {}) =>
  t.call({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
/** Changes a job as somebody does who has just read it. */
const edit = async (id: string, more: object) =>
  post('job-info/submit', { id, version: await versionOf(t, 'job_info', id), ...more })
const get = <T>(path: string) => t.call<T>({ url: `/api/blade-job/${path}`, headers: admin.headers })

beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'administrator')
  await t.db.updateTable('param').set({ paramValue: 'jobs.example.org' }).where('paramKey', '=', 'job.hosts').execute()
  await post('job-server/submit', serverRow)
  const { data } = await get<{ id: string; jobServerName: string }[]>('job-server/select')
  server = data.find(one => one.jobServerName === '主')?.id ?? ''
})
afterAll(() => t?.close())

const serverRow = {
  jobServerName: '主',
  serverType: 3,
  jobServerUrl: 'http://jobs.example.org:7700',
  jobAppName: 'juxian',
  jobAppPassword: 'Geheim-2',
}
const row = (more: object = {}) => ({
  jobServerId: server,
  jobName: '对账',
  processorInfo: 'dailyBill',
  timeExpression: '0 0 2 * * ?',
  ...more,
})

async function add(more: object = {}): Promise<string> {
  const jobName = `任务${Math.random()}`
  expect((await post('job-info/submit', row({ jobName, ...more }))).msg).toBe('操作成功')
  const found = await t.db.selectFrom('job_info').select('id').where('jobName', '=', jobName).executeTakeFirst()
  return found?.id ?? ''
}

test('what is not said has the defaults of the specification', async () => {
  const { data } = await get(`job-info/detail?id=${await add()}`)
  expect(data).toMatchObject({
    timeExpressionType: 2,
    executeType: 1,
    dispatchStrategy: 1,
    processorType: 1,
    enable: 1,
    concurrency: 5,
    maxInstanceNum: 0,
    instanceTimeLimit: 0,
    minCpuCores: '0',
    logType: 1,
    logLevel: 2,
  })
})

test.each([
  [{ timeExpression: '' }, '请输入时间表达式'],
  [{ timeExpression: '0 0 25 * * ?' }, '时不正确'],
  [{ timeExpression: '0 0 2 * *' }, '6段或7段'],
  [{ timeExpressionType: 3, timeExpression: '0 0 2 * * ?' }, '毫秒'],
  [{ timeExpressionType: 3, timeExpression: '999' }, '至少1000'],
  [{ timeExpressionType: 4, timeExpression: '1500.5' }, '至少1000'],
  [{ timeExpressionType: 3, timeExpression: '0' }, '至少1000'],
  [{ timeExpression: '0 0 2 15 * 2' }, '日和周只能限定一个'],
  [{ timeExpression: '* * * * *' }, '6段或7段'],
  [{ timeExpression: '0 0 2 30 2 ?' }, '没有下一次'],
  [{ timeExpression: '0 0 2 * * ? 2000' }, '没有下一次'],
  [{ timeExpression: '0 0 2 1 1 ?', lifecycle: ['2099-02-01 00:00:00', '2099-03-01 00:00:00'] }, '没有下一次'],
  [{ timeExpressionType: 11, timeExpression: '30' }, '每日固定间隔'],
  [{ lifecycle: ['2026-01-01 00:00:00', '2026-01-02 00:00:00'] }, '晚于现在'],
  [{ lifecycle: ['2026-01-02 00:00:00', '2026-01-01 00:00:00'] }, '晚于'],
  [{ lifecycle: 'always' }, '生命周期'],
  [{ processorType: 2 }, '处理器类型'],
  [{ dispatchStrategy: 11 }, '运行时配置'],
  [{ executeType: 2 }, 'Webhook任务只能单机执行'],
  [{ concurrency: -1 }, '单机线程并发数'],
  [{ jobServerId: '1' }, '任务应用'],
  [{ processorInfo: '' }, '请输入处理器参数'],
])('%j is refused', async (more, words) => {
  const answer = await post('job-info/submit', row(more))
  expect([answer.code, answer.msg]).toEqual([29005, expect.stringContaining(words)])
})

test('the next times of an expression, or why there is none', async () => {
  t.setNow('2026-11-21 12:00:00')
  const next = (type: number, expression: string) =>
    get<{ times: string[] }>(`job-info/next?type=${type}&expression=${encodeURIComponent(expression)}`)
  expect((await next(2, ' 0 0 2 ? * MON-WED ')).data.times).toEqual([
    '2026-11-23 02:00:00',
    '2026-11-24 02:00:00',
    '2026-11-25 02:00:00',
    '2026-11-30 02:00:00',
    '2026-12-01 02:00:00',
  ])
  expect((await next(4, '60000')).data.times[4]).toBe('2026-11-21 12:05:00')
  for (const [type, expression, words] of [
    [2, '0 0 2 15 * 2', '日和周'],
    [2, '0 0 2 30 2 ?', '没有下一次'],
    [3, '10', '至少1000'],
    [1, '5', '没有时间表达式'],
  ] as const)
    expect(await next(type, expression)).toMatchObject({ code: 29005, msg: expect.stringContaining(words) })
  const english = { ...admin.headers, 'accept-language': 'en' }
  const url = '/api/blade-job/job-info/next?type=2&expression=0%200%202%2015%20*%202'
  expect((await t.call({ url, headers: english })).msg).toContain('Only one of day and weekday')
})

test('a job keeps a timing that is refused today; changing it needs a right one', async () => {
  const id = await add()
  await t.db.updateTable('job_info').set({ timeExpression: '0 0 2 13 * 6' }).where('id', '=', id).execute()
  const change = async (more: object) => (await edit(id, { ...more })).code
  expect(await change({ jobDescription: '十三日星期五' })).toBe(200)
  expect(await change({ timeExpression: '0 0 3 13 * 6' })).toBe(29005)
  expect(await change({ timeExpression: '0 0 3 13 * ?' })).toBe(200)
})

test('a job that is called from outside has no expression', async () => {
  const id = await add({ timeExpressionType: 1 })
  expect((await get(`job-info/detail?id=${id}`)).data).toMatchObject({ timeExpressionType: 1, timeExpression: '' })
})

test('a form that was opened before somebody else saved, or switched it, overwrites nothing', async () => {
  const id = await add()
  const version = await versionOf(t, 'job_info', id)
  expect((await post('job-info/submit', { id, jobName: '新名' })).code).toBe(29005)
  expect((await post('job-info/submit', { id, version, jobName: '甲' })).code).toBe(200)
  expect((await post('job-info/submit', { id, version, jobName: '乙' })).code).toBe(29002)
  const switched = await versionOf(t, 'job_info', id)
  expect((await post(`job-info/change?id=${id}&enable=0`)).code).toBe(200)
  expect((await post('job-info/submit', { id, version: switched, enable: 1 })).code).toBe(29002)
  const seen = await versionOf(t, 'job_info', id)
  const all = [1, 2, 3, 4].map(n => post('job-info/submit', { id, version: seen, jobName: `同时${n}` }))
  expect((await Promise.all(all)).map(one => one.code).toSorted()).toEqual([200, 29002, 29002, 29002])
})

test('its application stays', async () => {
  const id = await add()
  await post('job-server/submit', { ...serverRow, jobServerName: '备' })
  const { data } = await get<{ id: string }[]>(`job-server/select?keyword=${encodeURIComponent('备')}`)
  expect((await edit(id, { jobServerId: data[0]?.id })).msg).toContain('任务应用不能修改')
  expect((await edit(id, { jobServerId: server, jobName: '新名' })).code).toBe(200)
})

test('is switched off and on; who did it may say so again', async () => {
  const id = await add()
  const change = async (enable: number) => (await post(`job-info/change?id=${id}&enable=${enable}`)).code
  expect([await change(1), await change(0), await change(0), await change(1), await change(2)]).toEqual([
    200, 200, 200, 200, 29005,
  ])
  expect((await post('job-info/change?id=1&enable=1')).code).toBe(29001)
  const both = await Promise.all([change(0), change(0)])
  expect(both).toEqual([200, 200])
})

test('what wants programs that are loaded for it is not run, and says so in the language of the page', async () => {
  const url = `/api/blade-job/job-info/run?id=${await add({ processorType: 4 })}`
  expect((await t.call({ method: 'POST', url, headers: admin.headers })).msg).toBe('功能尚未开放')
  const english = { ...admin.headers, 'accept-language': 'en' }
  expect((await t.call({ method: 'POST', url, headers: english })).msg).toBe('This is not available yet')
})

test.each([
  'http://169.254.169.254/',
  'http://jobs.example.org.evil.example/',
  'file:///etc/passwd',
  'http://u:p@jobs.example.org/',
])('a server at %s is refused', async jobServerUrl =>
  expect((await post('job-server/submit', { ...serverRow, jobServerName: jobServerUrl, jobServerUrl })).code).toBe(
    29005,
  ),
)

test('the password of a server can be used again and is never told', async () => {
  const stored = await t.db.selectFrom('job_server').selectAll().where('id', '=', server).executeTakeFirstOrThrow()
  expect(t.app.vault.open(stored.jobAppPassword)).toBe('Geheim-2')
  expect((await get(`job-server/detail?id=${server}`)).data).not.toHaveProperty('jobAppPassword')
})

test('a server with jobs stays', async () => {
  await add()
  expect((await post(`job-server/remove?ids=${server}`)).code).toBe(29003)
})
