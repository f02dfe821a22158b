import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { JobInstanceStatus, JobServerType } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs } from '../../../../tests/helper/login.ts'
import type { Processor } from '../../../platform/queue/processors.ts'

// Two servers work by the clock on one database, and one of them ends on the way.

let t: TestApp
let twin: TestApp | undefined

const tick: Processor = { name: 'tick', title: '计时', run: async ({ node }) => node }
const prepare = (app: TestApp['app']) => app.processors.add(tick)

beforeAll(async () => {
  t = await testApp({ prepare, config: { jobs: true } })
  twin = await testApp({ prepare, config: { jobs: true }, url: t.url })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

test('each second of the clock has one run, also when one of two servers ends', async () => {
  const { headers } = await loginAs(t, 'administrator')
  const post = (path: string, payload: object) =>
    t.call({ method: 'POST', url: `/api/blade-job/${path}`, headers, payload })
  const servers = t.db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.builtIn)
  const { id: jobServerId } = await servers.executeTakeFirstOrThrow()
  const job = { jobServerId, jobName: '每秒', processorInfo: 'tick', timeExpression: '* * * * * ?' }
  expect((await post('job-info/submit', job)).msg).toBe('操作成功')
  await sleep(5000)
  await twin?.close()
  twin = undefined
  await sleep(5000)
  const { id } = await t.db.selectFrom('job_info').select('id').where('jobName', '=', '每秒').executeTakeFirstOrThrow()
  expect((await post(`job-info/change?id=${id}&enable=0`, {})).code).toBe(200)
  const runs = () => t.db.selectFrom('job_instance').select(['planTime', 'state']).where('jobInfoId', '=', id).execute()
  await expect.poll(async () => (await runs()).every(run => run.state === JobInstanceStatus.succeeded)).toBe(true)
  const seconds = (await runs()).map(run => run.planTime.getTime())
  expect(new Set(seconds).size).toBe(seconds.length)
  expect(seconds.every(second => second % 1000 === 0)).toBe(true)
  // Seconds that a busy machine slept through are not made up for.
  expect(seconds.length).toBeGreaterThanOrEqual(4)
  expect(seconds.length).toBeLessThanOrEqual(Math.ceil((Math.max(...seconds) - Math.min(...seconds)) / 1000) + 1)
})
