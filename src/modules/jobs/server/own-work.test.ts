import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JobInstanceStatus } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { english } from '../../../../tests/helper/english.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { versionOf } from '../../../../tests/helper/version.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { keepOwnWork, ownWorkAges } from './own-work.ts'

let t: TestApp
let twin: TestApp
let admin: Session

let now = 0
let most = 0
let count = 0
/** Servers of this file know two works beside those of the product: one each second, and one that may not be paused. */
function prepare(app: TestApp['app']): void {
  const work = async () => {
    count++
    most = Math.max(most, ++now)
    await sleep(300)
    now--
  }
  app.jobs.every({ name: 'both', title: '两处的工作', seconds: 1, within: [1, 3600], harmlessToPause: true, work })
  app.jobs.every({ name: 'needed', title: '必需的工作', seconds: 600, work: async () => undefined })
}

beforeAll(async () => {
  t = await testApp({ prepare, config: { jobs: true } })
  twin = await testApp({ prepare, config: { jobs: true }, url: t.url })
  admin = await loginAs(t, 'administrator')
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

interface Shown {
  id: string
  jobName: string
  processorInfo: string
  builtin: number
  pausable: number
  timeExpression: string
  nextTime: string
  lastStatus: number
}

const post = (path: string, payload: object = {}) =>
  t.call<{ instanceId: string }>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
/** Changes a job as somebody does who has just read it. */
const edit = async (id: string, more: object) =>
  post('job-info/submit', { id, version: await versionOf(t, 'job_info', id), ...more })
const rows = async () => {
  const url = '/api/blade-job/job-info/list?size=100&builtin=1'
  return (await t.call<{ records: Shown[] }>({ url, headers: admin.headers })).data.records
}
const row = async (name: string) => {
  const found = (await rows()).find(one => one.processorInfo === name)
  if (!found) throw new Error(`no row ${name}`)
  return found
}

test('all recurring work of the server is in the list of jobs, once, though two servers began at the same moment', async () => {
  await t.pool.query('TRUNCATE job_instance, job_info, job_log, work_item CASCADE')
  await Promise.all([t, twin].map(one => keepOwnWork(one.app)))
  const names = (await rows()).map(one => one.processorInfo)
  expect(names.toSorted()).toEqual(
    t.app.jobs
      .all()
      .map(one => one.name)
      .toSorted(),
  )
  expect(names.length).toBeGreaterThan(15)
  const own = (await rows()).filter(one => !['both', 'needed'].includes(one.processorInfo))
  expect(own.filter(one => !english[one.jobName])).toEqual([])
  expect(await row('pay-books')).toMatchObject({ jobName: '核对缴费账目', builtin: 1, pausable: 1, enable: 1 })
})

test('of two servers one does it each time, and only the last run that went well is kept', async () => {
  count = 0
  await sleep(6000)
  expect(count).toBeGreaterThanOrEqual(2)
  expect(count).toBeLessThanOrEqual(7)
  expect(most).toBe(1)
  const kept = await t.db
    .selectFrom('job_instance as r')
    .innerJoin('job_info as j', 'j.id', 'r.jobInfoId')
    .select('r.state')
    .where('j.processorInfo', '=', 'both')
    .where('r.state', '=', JobInstanceStatus.succeeded)
    .execute()
  expect(kept).toHaveLength(1)
  const both = await row('both')
  expect([both.lastStatus === 5 || both.lastStatus === 3, both.nextTime > '2026']).toEqual([true, true])
})

test('it is run at once when somebody says so', async () => {
  const { id } = await row('needed')
  expect((await post(`job-info/run?id=${id}`)).code).toBe(200)
  await expect.poll(async () => (await row('needed')).lastStatus).toBe(5)
})

test('it is not removed, and not paused unless that does no harm', async () => {
  const [needed, both] = [await row('needed'), await row('both')]
  expect((await post(`job-info/remove?ids=${needed.id}`)).code).toBe(29008)
  expect((await post(`job-info/change?id=${needed.id}&enable=0`)).code).toBe(29009)
  expect((await edit(needed.id, { enable: 0 })).code).toBe(29008)
  expect((await post(`job-info/change?id=${both.id}&enable=0`)).code).toBe(200)
  await sleep(2500)
  const before = count
  await sleep(2500)
  expect(count).toBe(before)
})

test('its timing is changed within its bounds, and nothing else', async () => {
  const { id } = await row('needed')
  const change = async (more: object) => {
    const { code, msg } = await edit(id, { ...more })
    return code === 200 ? 200 : msg
  }
  expect(await change({ jobName: '别的' })).toBe('内置数据不能修改')
  expect(await change({ processorInfo: 'both' })).toBe('内置数据不能修改')
  expect(await change({ jobName: '必需的工作', timeExpression: '300000' })).toBe(200)
  expect((await row('needed')).timeExpression).toBe('300000')
  for (const more of [
    { timeExpression: '1000' },
    { timeExpression: '86400000' },
    { timeExpressionType: 2, timeExpression: '0 0 2 * * ?' },
    { timeExpressionType: 2, timeExpression: '0 0/10 8-18 * * ?' },
    { timeExpressionType: 2, timeExpression: '0 0/10 * * * ? 2026-2099' },
  ])
    expect(await change(more)).toContain('两次执行的间隔应为 120 到 3000 秒')
  expect(await change({ timeExpressionType: 1 })).toContain('系统任务按时间执行')
  expect(await change({ timeExpressionType: 2, timeExpression: '0 0 0' })).toContain('6段或7段')
  expect(await change({ timeExpressionType: 2, timeExpression: '0 0/10 * * * ?' })).toBe(200)
})

test('a start keeps the timing that was chosen, mends one that is not allowed any more, and forgets work that is gone', async () => {
  const write = (name: string, set: object) =>
    t.db.updateTable('job_info').set(set).where('processorInfo', '=', name).execute()
  await write('needed', { jobName: '旧名' })
  await write('pay-poll', { timeExpression: '999000', enable: 0 })
  await write('pay-books', { processorInfo: 'no-more' })
  await keepOwnWork(twin.app)
  expect(await row('needed')).toMatchObject({ jobName: '必需的工作', timeExpression: '0 0/10 * * * ?' })
  expect(await row('pay-poll')).toMatchObject({ timeExpression: '10000', enable: 1 })
  expect((await rows()).map(one => one.processorInfo)).not.toContain('no-more')
  expect((await row('pay-books')).nextTime > wireTime(new Date())).toBe(true)
})

test('how many of its periods ago a work began is measured, unless it is paused', async () => {
  const write = (name: string, set: object) =>
    t.db.updateTable('job_info').set(set).where('processorInfo', '=', name).execute()
  const age = async (name: string) => (await ownWorkAges(t.app)).find(({ labels }) => labels.work === name)?.value
  const ago = (seconds: number) => new Date(t.app.now().getTime() - seconds * 1000)
  await write('sms-receipts', { lastTime: ago(1800), nextTime: null })
  expect(await age('sms-receipts')).toBeCloseTo(6, 1)
  await write('sms-receipts', { timeExpression: '600000', lastTime: null, createTime: ago(1200) })
  expect(await age('sms-receipts')).toBeCloseTo(2, 1)
  await write('sms-receipts', { timeExpressionType: 2, timeExpression: '0 0/5 * * * ?', lastTime: ago(1500) })
  expect(await age('sms-receipts')).toBeCloseTo(1, 1)
  await write('sms-receipts', { enable: 0 })
  expect(await age('sms-receipts')).toBeUndefined()
})

test('staff choose one of its processors for a job of their own, and no other', async () => {
  const select = '/api/blade-job/job-server/select'
  const { data } = await t.call<{ id: string; jobServerName: string }[]>({ url: select, headers: admin.headers })
  const server = data.find(one => one.jobServerName === '内置任务服务')
  const job = { jobServerId: server?.id, jobName: '夜间对账', timeExpression: '0 0 2 * * ?' }
  expect((await post('job-info/submit', { ...job, processorInfo: 'no-such' })).msg).toContain('没有名为no-such的处理器')
  expect((await post('job-info/submit', { ...job, processorInfo: 'pay-books' })).code).toBe(200)
  expect((await post(`job-server/remove?ids=${server?.id}`)).code).toBe(29008)
  expect((await post('job-server/submit', { id: server?.id, jobServerName: '别的' })).code).toBe(29008)
})
