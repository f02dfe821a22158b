import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { JobInstanceStatus, JobServerType, JobSyncState, JobTimeType, WorkState } from '#schemas/dictionaries'
import { lease } from '../../src/platform/queue/claim.ts'
import { fakePowerJob } from '../fake-powerjob/server.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { type Fleet, type Load, startFleet, underKills } from '../helper/fleet.ts'
import { type Caller, signIn } from '../helper/person.ts'

// Jobs and workflows of two servers, each in a process of its own. Processes are killed and stay away, and nothing is brought forward:
// whoever is left notices by itself, by the lease of a minute and by the heartbeat.

let t: TestApp
let fleet: Fleet
let staff: Caller
let server: string

beforeAll(async () => {
  t = await testApp()
  const processors = path.resolve(import.meta.dirname, '../helper/processors.mjs')
  fleet = await startFleet(t, { NODE_OPTIONS: `--import ${processors}` })
  staff = await signIn(t, { role: 'administrator' })
  const servers = t.db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.builtIn)
  server = (await servers.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await fleet?.stop()
  await t?.close()
})

/** Both servers begin anew, with no work but their own. */
beforeEach(async () => {
  await Promise.all([0, 1].map(at => fleet.lose(at)))
  await t.pool.query('DELETE FROM app_node; TRUNCATE job_info, job_instance, job_log, work_item CASCADE')
  await Promise.all([0, 1].map(at => fleet.kill(at)))
  await vi.waitFor(async () => expect(await nodes()).toHaveLength(2), { timeout: 30_000, interval: 200 })
}, 120_000)

const nodes = async () => (await t.pool.query<{ name: string }>('SELECT name FROM app_node ORDER BY name')).rows

const post = <T = { instanceId: string; runId: string }>(where: string, body: object = {}) =>
  fleet.insist<T>(`/blade-job/${where}`, { headers: staff.headers, body, freshKeys: true })

let made = 0
async function add(more: object): Promise<string> {
  const jobName = `任务${++made}`
  const row = { jobServerId: server, jobName, processorInfo: 'test-step', timeExpressionType: JobTimeType.api, ...more }
  expect(await post('job-info/submit', row)).toMatchObject({ code: 200 })
  return (await t.db.selectFrom('job_info').select('id').where('jobName', '=', jobName).executeTakeFirstOrThrow()).id
}

const seconds = (milliseconds: number) => Math.round(milliseconds / 100) / 10

const runOf = (id: string) => t.db.selectFrom('job_instance').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('each second for a minute, one of two servers killed at the twentieth: 60 runs, none planned twice', async () => {
  const id = await add({ timeExpressionType: JobTimeType.cron, timeExpression: '* * * * * ?' })
  await sleep(2000)
  const from = new Date(Math.ceil(Date.now() / 1000) * 1000 + 1000)
  const to = new Date(from.getTime() + 60_000)
  await sleep(from.getTime() - Date.now() + 20_000)
  await fleet.lose(0)
  await sleep(to.getTime() - Date.now() + 3000)
  const rows = await t.db
    .selectFrom('job_instance')
    .select(['scheduledTime', 'state'])
    .where('jobInfoId', '=', id)
    .where('scheduledTime', '>=', from)
    .where('scheduledTime', '<', to)
    .execute()
  const times = rows.map(row => row.scheduledTime?.getTime())
  expect(new Set(times).size).toBe(times.length)
  expect(times.length).toBeGreaterThanOrEqual(59)
  expect(times.length).toBeLessThanOrEqual(61)
  const done = rows.filter(row => row.state === JobInstanceStatus.succeeded).length
  console.log(`${times.length} runs in a minute, ${done} done by then`)
  // What the dead one had begun is done when its lease ends.
  expect(done).toBeGreaterThanOrEqual(times.length - 5)
  expect(await post(`job-info/change?id=${id}&enable=0`)).toMatchObject({ code: 200 })
}, 180_000)

test('in every process, one killed in the middle: its part has failed, the other is done', async () => {
  const id = await add({ executeType: 2, jobParams: '8000' })
  const { data } = await post(`job-info/run?id=${id}`)
  const begun = () =>
    t.db.selectFrom('work_item').select(['state', 'result', 'forNode']).where('kind', '=', 'job.task').execute()
  await vi.waitFor(
    async () => expect((await begun()).map(one => one.state)).toEqual([WorkState.running, WorkState.running]),
    { timeout: 30_000, interval: 100 },
  )
  const began = Date.now()
  await fleet.lose(1)
  await vi.waitFor(async () => expect((await runOf(data.instanceId)).state).toBe(JobInstanceStatus.failed), {
    timeout: 90_000,
    interval: 500,
  })
  expect(await runOf(data.instanceId)).toMatchObject({ result: '2个子任务中1个失败：进程已退出' })
  const parts = await begun()
  expect(parts.map(one => one.state).toSorted()).toEqual([WorkState.failed, WorkState.done])
  const [good] = parts.filter(one => one.state === WorkState.done)
  expect(good?.result).toBe(good?.forNode)
  console.log(`the part of the dead process had failed after ${seconds(Date.now() - began)} s`)
}, 180_000)

test('100 parts, one of two servers killed in the middle: each part has its result, and they are put together once', async () => {
  const id = await add({ executeType: 3, processorInfo: 'test-parts', jobParams: '400', taskRetryNum: 2 })
  const { data } = await post(`job-info/run?id=${id}`)
  const parts = () =>
    t.db
      .selectFrom('work_item')
      .select(['state', 'result', 'tries', 'leaseBy'])
      .where('kind', '=', 'job.task')
      .orderBy('id')
      .execute()
  /** How many parts a process is at. */
  const heldBy = async (pid: number | undefined) => {
    const all = await parts()
    return all.filter(one => one.state === WorkState.running && one.leaseBy?.includes(`-${pid}`)).length
  }
  const isBusy = async (at: number) => (await heldBy(fleet.pid(at))) > 0
  const at = await vi.waitFor(
    async () => {
      expect((await parts()).filter(one => one.state === WorkState.done).length).toBeGreaterThan(20)
      const [first] = (await isBusy(0)) ? [0] : [1]
      expect(await isBusy(first)).toBe(true)
      return first
    },
    { timeout: 60_000, interval: 20 },
  )
  const dead = fleet.pid(at)
  await fleet.lose(at)
  const began = Date.now()
  const left = await heldBy(dead)
  expect(left).toBeGreaterThan(0)
  await vi.waitFor(async () => expect(await heldBy(dead)).toBeLessThan(left), {
    timeout: (lease + 2) * 1000,
    interval: 100,
  })
  const taken = Date.now() - began
  await vi.waitFor(async () => expect((await runOf(data.instanceId)).state).toBe(JobInstanceStatus.succeeded), {
    timeout: 150_000,
    interval: 500,
  })
  expect(await runOf(data.instanceId)).toMatchObject({ result: '100 parts, 4950' })
  const lines = t.db.selectFrom('job_log').select('text').where('instanceId', '=', data.instanceId)
  expect((await lines.execute()).filter(line => line.text === 'reduced')).toHaveLength(1)
  const all = await parts()
  expect(all.filter(one => one.state === WorkState.done)).toHaveLength(101)
  expect(new Set(all.slice(0, 100).map(one => one.result)).size).toBe(100)
  const again = all.filter(one => one.tries > 1).length
  console.log(
    `${again} parts begun again from ${seconds(taken)} s after the kill, all put together after ${seconds(Date.now() - began)} s`,
  )
}, 300_000)

test('killed after PowerJob had saved a job and before its number was stored: the next sync adopts it', async () => {
  const powerJob = await fakePowerJob({ version: 5, auth: 'on' })
  try {
    await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
    const own = { jobServerUrl: powerJob.url, jobAppName: 'juxian', jobAppPassword: 'Geheim-2' }
    expect(await post('job-server/submit', { jobServerName: 'PowerJob', ...own })).toMatchObject({ code: 200 })
    const found = t.db.selectFrom('job_server').select('id').where('jobServerName', '=', 'PowerJob')
    const jobServerId = (await found.executeTakeFirstOrThrow()).id
    powerJob.switches.holdAnswerOf = 'saveJob'
    const body = { jobServerId, jobName: '对账', processorInfo: 'a.B', timeExpression: '0 0 2 * * ?' }
    const asked = fleet.ask('/blade-job/job-info/submit', { headers: staff.headers, body, key: 'adopt', on: 0 })
    await vi.waitFor(() => expect(powerJob.jobs.size).toBe(1), { timeout: 30_000, interval: 10 })
    await fleet.lose(0)
    expect(await asked).toEqual({ lost: true })
    const rows = () =>
      t.db.selectFrom('job_info').select(['jobId', 'syncState']).where('jobServerId', '=', jobServerId).execute()
    expect(await rows()).toEqual([{ jobId: null, syncState: JobSyncState.unsynced }])
    powerJob.switches.holdAnswerOf = ''
    expect(await post('job-info/sync', { jobServerId })).toMatchObject({ code: 200, data: { failed: [] } })
    expect(await rows()).toEqual([{ jobId: '1', syncState: JobSyncState.synced }])
    expect(powerJob.jobs.size).toBe(1)
  } finally {
    await powerJob.close()
  }
}, 120_000)

test('workflows while servers are killed: each node is handed over once, and every run ends', async () => {
  const jobInfoId = await add({ timeExpressionType: JobTimeType.workflow, jobParams: '150', instanceRetryNum: 50 })
  const after = { A: '', B: 'A', C: 'A', D: 'B,C', E: 'D' }
  const nodesOf = Object.entries(after).map(([nodeName, afterNodes]) => ({ nodeName, jobInfoId, afterNodes }))
  const workflow = { workflowName: '流水线', timeExpressionType: JobTimeType.api, maxInstanceNum: 0 }
  expect(await post('job-workflow/submit', { ...workflow, 'job-workflow-node': nodesOf })).toMatchObject({ code: 200 })
  const { id } = await t.db.selectFrom('job_workflow').select('id').executeTakeFirstOrThrow()
  const people = async (load: Load) => {
    while (load.goesOn()) {
      expect(
        await fleet.insist(`/blade-job/job-workflow/run?id=${id}`, { headers: staff.headers, body: {} }),
      ).toMatchObject({ code: 200 })
      load.done()
      await sleep(400)
    }
  }
  /** Of those who died nobody waits for the minute of the lease: what the living have is renewed all the time. */
  const endLeases = () =>
    t.pool.query(
      `UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second'
       WHERE kind = 'job.run' AND state = $1 AND "leaseUntil" < clock_timestamp() + interval '45 seconds'`,
      [WorkState.running],
    )
  const { kills } = await underKills(fleet, 14, [people], { pause: [500, 3000], afterKill: endLeases })
  await vi.waitFor(
    async () => {
      await endLeases()
      const open = t.db.selectFrom('job_workflow_run').select('id').where('state', '=', JobInstanceStatus.running)
      expect(await open.execute()).toEqual([])
    },
    { timeout: 180_000, interval: 1000 },
  )
  const runs = await t.db.selectFrom('job_workflow_run').select(['id', 'state', 'result']).execute()
  expect(runs.filter(run => run.state !== JobInstanceStatus.succeeded)).toEqual([])
  const { rows } = await t.pool.query<{ steps: number; runs: number; wrong: number }>(
    `SELECT (SELECT count(*)::int FROM job_workflow_step) AS steps,
            (SELECT count(*)::int FROM job_instance WHERE "stepId" IS NOT NULL) AS runs,
            (SELECT count(*)::int FROM job_workflow_step s JOIN job_instance i ON i.id::text = s."instanceId"
             WHERE i.state <> 5 OR s.state <> 5 OR i."stepId" <> s.id::text) AS wrong`,
  )
  expect(rows[0]).toEqual({ steps: runs.length * 5, runs: runs.length * 5, wrong: 0 })
  // No node began before those that it waits for had ended.
  const early = await t.pool.query(
    `SELECT 1 FROM job_workflow_step s JOIN job_workflow_step b ON b."runId" = s."runId"
       AND b."nodeName" = ANY(string_to_array(s."afterNodes", ',')) WHERE b."endTime" > s."startTime"`,
  )
  expect(early.rows).toEqual([])
  expect(fleet.faults).toEqual([])
  console.log(`${runs.length} runs of workflows, ${kills} kills`)
}, 600_000)
