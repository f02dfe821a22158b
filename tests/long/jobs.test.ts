import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { JobEnable, JobInstanceStatus, JobServerType, JobTimeType, WorkState } from '#schemas/dictionaries'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'

// Jobs are due every few seconds, and staff run one by hand, while servers are killed. Each run that was entered is made to its
// end, never twice at one moment, and no time of the clock is entered twice.

const [jobs, rate, kills] = [6, 3000, 16]

let t: TestApp
let fleet: Fleet
let staff: Caller

/** Runs of which somebody is told at this moment, and how often each was told. */
const now = new Map<string, number>()
const told = new Map<string, number>()
/** Runs that two told of at one moment. */
const twice: string[] = []
/** Runs whose teller died: nobody is at them any more. */
const left = new Set<string>()

/** The application that is told what to do. It is at it for a while. */
const application = http.createServer(async (request, reply) => {
  let text = ''
  try {
    for await (const part of request) text += part
  } catch {
    return // The teller died before all was said.
  }
  const { instanceId } = JSON.parse(text) as { instanceId: string }
  const count = (now.get(instanceId) ?? 0) + 1
  now.set(instanceId, count)
  told.set(instanceId, (told.get(instanceId) ?? 0) + 1)
  if (count > 1) twice.push(instanceId)
  reply.once('close', () => {
    now.set(instanceId, now.get(instanceId)! - 1)
    if (reply.writableEnded) left.delete(instanceId)
    else left.add(instanceId)
  })
  await sleep(300 + Math.random() * 900)
  if (!reply.destroyed) reply.end('{}')
})

beforeAll(async () => {
  application.listen(0, '127.0.0.1')
  await once(application, 'listening')
  t = await testApp()
  await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
  fleet = await startFleet(t)
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  await fleet?.stop()
  application.closeAllConnections()
  application.close()
  await t?.close()
})

const post = <T = Record<string, unknown>>(path: string, body: object = {}) =>
  fleet.insist<T>(`/blade-job/${path}`, { headers: staff.headers, body })

/** The minute of a lease is over for runs whose teller has died; others are still at theirs. */
async function endLeases(): Promise<void> {
  const ids = [...left].filter(id => !now.get(id))
  if (ids.length === 0) return
  await t.pool.query(
    `UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second' WHERE kind = 'job.run' AND key = ANY($1) AND state = $2`,
    [ids, WorkState.running],
  )
}

test('runs of jobs: each is made to its end, one at a time, and no time counts twice', async () => {
  const { port } = application.address() as AddressInfo
  const server = {
    jobServerName: '主',
    serverType: JobServerType.webhook,
    jobServerUrl: `http://127.0.0.1:${port}/run`,
    jobAppName: 'juxian',
  }
  expect(await post('job-server/submit', { ...server, jobAppPassword: 'Geheim-2' })).toMatchObject({ code: 200 })
  const { id: jobServerId } = await t.db
    .selectFrom('job_server')
    .select('id')
    .where('serverType', '=', JobServerType.webhook)
    .executeTakeFirstOrThrow()
  const common = { jobServerId, processorInfo: 'work', instanceRetryNum: 50 }
  const clock = { timeExpressionType: JobTimeType.fixedRate, timeExpression: String(rate) }
  const began = Date.now()
  for (let n = 0; n < jobs; n++)
    expect(await post('job-info/submit', { ...common, ...clock, jobName: `任务${n}` })).toMatchObject({ code: 200 })
  const byHand = { ...common, jobName: '手动', timeExpressionType: JobTimeType.api }
  expect(await post('job-info/submit', byHand)).toMatchObject({ code: 200 })
  const hand = await t.db.selectFrom('job_info').select('id').where('jobName', '=', '手动').executeTakeFirstOrThrow()
  const asked: string[] = []
  const people = async (load: Load) => {
    while (load.goesOn()) {
      const answer = await post<{ instanceId: string }>(`job-info/run?id=${hand.id}`)
      expect(answer).toMatchObject({ code: 200 })
      asked.push(answer.data.instanceId)
      load.done()
      await sleep(700)
    }
  }
  await underKills(fleet, kills, [people], { pause: [300, 3500], afterKill: endLeases })
  // The servers' own work goes on by itself.
  const ids = (await t.db.selectFrom('job_info').select('id').where('builtin', '=', 0).execute()).map(row => row.id)
  for (const id of ids)
    expect(await post(`job-info/change?id=${id}&enable=${JobEnable.paused}`)).toMatchObject({ code: 200 })
  const took = Date.now() - began
  await vi.waitFor(
    async () => {
      await endLeases()
      const open = t.db
        .selectFrom('job_instance')
        .select(['id', 'state', 'result'])
        .where('jobInfoId', 'in', ids)
        .where('state', '<>', JobInstanceStatus.succeeded)
      expect(await open.execute()).toEqual([])
    },
    { timeout: 180_000, interval: 1000 },
  )
  const runs = await t.db
    .selectFrom('job_instance')
    .select(['id', 'jobInfoId', 'tries', 'createTime'])
    .where('jobInfoId', 'in', ids)
    .execute()
  expect(twice).toEqual([])
  expect(runs.filter(run => !told.has(run.id) || told.get(run.id)! > run.tries)).toEqual([])
  expect(
    runs
      .filter(run => run.jobInfoId === hand.id)
      .map(run => run.id)
      .toSorted(),
  ).toEqual(asked.toSorted())
  const counts = ids.filter(id => id !== hand.id).map(id => runs.filter(run => run.jobInfoId === id).length)
  for (const count of counts) {
    expect(count).toBeGreaterThan(0)
    expect(count).toBeLessThanOrEqual(Math.floor(took / rate) + 1)
  }
  expect(fleet.faults).toEqual([])
  console.log(`${runs.length} runs, ${[...told.values()].filter(n => n > 1).length} of them told again after a death`)
})
