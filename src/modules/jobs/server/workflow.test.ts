import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JobInstanceStatus, JobServerType } from '#schemas/dictionaries'
import { shanghai, type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { versionOf } from '../../../../tests/helper/version.ts'
import { wireTime } from '../../../platform/http/server/wire.ts'
import { claim } from '../../../platform/queue/claim.ts'
import { beginDueWorkflows } from './workflow-run.ts'

// Two servers on one database run workflows of jobs.

let t: TestApp
let twin: TestApp
let admin: Session
let server: string

/** What was done, in the order in which it ended. */
let done: string[] = []
/** Names that fail while they are here. */
const failing = new Set<string>()
/** What work does before it ends. */
let meanwhile: (what: string, signal: AbortSignal) => Promise<void> = async () => undefined

function prepare(app: TestApp['app']): void {
  app.processors.add({
    name: 'step',
    title: '步骤',
    run: async ({ params, signal }) => {
      const what = params ?? ''
      await meanwhile(what, signal)
      if (failing.has(what)) throw new Error(`${what} failed`)
      done.push(what)
      return `${what} done`
    },
    broadcast: async ({ params }) => {
      done.push(params ?? '')
      return 'each'
    },
  })
}

const post = <T = { runId: string }>(path: string, payload: object = {}) =>
  t.call<T>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
const get = <T>(path: string) => t.call<T>({ url: `/api/blade-job/${path}`, headers: admin.headers })

const begin = '2026-11-21 12:00:00'
function at(time: string): void {
  for (const one of [t, twin]) one.setNow(shanghai(time))
}

beforeAll(async () => {
  t = await testApp({ prepare })
  twin = await testApp({ prepare, url: t.url })
  at(begin)
  admin = await loginAs(t, 'administrator')
  const servers = t.db.selectFrom('job_server').select('id').where('serverType', '=', JobServerType.builtIn)
  server = (await servers.executeTakeFirstOrThrow()).id
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

let jobs: Record<string, string> = {}

beforeEach(async () => {
  await t.pool.query(
    'TRUNCATE job_workflow, job_workflow_node, job_workflow_run, job_workflow_step, job_info, job_instance, work_item CASCADE',
  )
  await t.pool.query('DELETE FROM app_node')
  for (const one of [t, twin])
    await t.pool.query('INSERT INTO app_node VALUES ($1, clock_timestamp(), clock_timestamp())', [one.app.queue.node])
  at(begin)
  done = []
  failing.clear()
  meanwhile = async () => undefined
  jobs = {}
  for (const name of ['A', 'B', 'C', 'D']) jobs[name] = await addJob(name)
})

async function addJob(jobName: string, more: object = {}): Promise<string> {
  const row = {
    jobServerId: server,
    jobName,
    processorInfo: 'step',
    timeExpressionType: 5,
    jobParams: jobName,
    ...more,
  }
  expect((await post('job-info/submit', row)).msg).toBe('操作成功')
  return (await t.db.selectFrom('job_info').select('id').where('jobName', '=', jobName).executeTakeFirstOrThrow()).id
}

/** Nodes of the jobs of their names: `name: those before`. */
const nodes = (given: Record<string, string>, more: Record<string, object> = {}) =>
  Object.entries(given).map(([nodeName, afterNodes]) => ({
    nodeName,
    jobInfoId: jobs[nodeName],
    afterNodes,
    ...more[nodeName],
  }))
const diamond = { A: '', B: 'A', C: 'A', D: 'B,C' }

const submit = (list: readonly object[], more: object = {}) =>
  post('job-workflow/submit', {
    workflowName: '夜间',
    timeExpressionType: 1,
    'job-workflow-node': list,
    ...more,
  })

async function add(list: readonly object[], more: object = {}): Promise<string> {
  expect((await submit(list, more)).msg).toBe('操作成功')
  const found = t.db.selectFrom('job_workflow').select('id').where('isDeleted', '=', 0).orderBy('id', 'desc')
  return (await found.executeTakeFirstOrThrow()).id
}

const run = async (id: string) => (await post(`job-workflow/run?id=${id}`)).data.runId
const work = async (...of: TestApp[]) => {
  for (let i = 0; i < 4; i++) await Promise.all(of.map(({ app }) => app.queue.workOff()))
}

/** How a run stands: its state, and those of its nodes. */
async function standing(runId: string) {
  const row = t.db.selectFrom('job_workflow_run').select(['state', 'result']).where('id', '=', runId)
  const { state, result } = await row.executeTakeFirstOrThrow()
  const steps = await t.db
    .selectFrom('job_workflow_step')
    .selectAll()
    .where('runId', '=', runId)
    .orderBy('id')
    .execute()
  return { state, result, steps: Object.fromEntries(steps.map(step => [step.nodeName, step.state])) }
}
const { succeeded, failed, cancelled, stopped, running } = JobInstanceStatus

describe('a workflow', () => {
  test('runs each node when all before it have succeeded, with the parameters of the node', async () => {
    const id = await add(nodes(diamond, { C: { jobParams: 'c!' } }))
    const runId = await run(id)
    expect((await standing(runId)).steps).toEqual({ A: 3, B: 1, C: 1, D: 1 })
    await work(t, twin)
    expect(await standing(runId)).toEqual({
      state: succeeded,
      result: '4个节点完成',
      steps: { A: 5, B: 5, C: 5, D: 5 },
    })
    expect([done[0], done.slice(1, 3).toSorted(), done[3], done.length]).toEqual(['A', ['B', 'c!'], 'D', 4])
    const { data } = await get<{ records: { trigger: number; graph: unknown[] }[] }>('job-workflow-run/page')
    expect(data.records).toMatchObject([
      { trigger: 2, state: 5, graph: [{ name: 'A', state: 5, after: [] }, {}, {}, { after: ['B', 'C'] }] },
    ])
    const instances = await get<{ records: object[] }>('job-instance/page?size=10')
    expect(instances.data.records.map(one => (one as { trigger: number }).trigger)).toEqual([3, 3, 3, 3])
    expect((await get<object>(`job-workflow/detail?id=${id}`)).data).toMatchObject({ lastStatus: 5, lastTime: begin })
  })

  test('stops behind a node that failed; other branches go on; tried again it begins there', async () => {
    failing.add('B')
    const runId = await run(await add(nodes({ ...diamond, E: 'D' }, { E: { jobInfoId: jobs.A, jobParams: 'E' } })))
    await work(t, twin)
    expect(await standing(runId)).toEqual({
      state: failed,
      result: '节点“B”失败：B failed',
      steps: { A: 5, B: 4, C: 5, D: 9, E: 9 },
    })
    expect(done).toEqual(['A', 'C'])
    failing.clear()
    expect((await post(`job-workflow-run/retry?id=${runId}`)).code).toBe(200)
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 5, B: 5, C: 5, D: 5, E: 5 } })
    expect(done).toEqual(['A', 'C', 'B', 'D', 'E'])
    expect((await post(`job-workflow-run/retry?id=${runId}`)).code).toBe(29009)
  })

  test('goes on behind a node whose failure does not matter, and passes one that is switched off', async () => {
    failing.add('B')
    const more = { B: { skipWhenFailed: 1 }, C: { enable: 0 } }
    const runId = await run(await add(nodes(diamond, more)))
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 5, B: 4, C: 6, D: 5 } })
    expect(done).toEqual(['A', 'D'])
  })

  test('of nodes that are all switched off ends at once', async () => {
    const runId = await run(await add(nodes({ A: '', B: 'A' }, { A: { enable: 0 }, B: { enable: 0 } })))
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 6, B: 6 } })
  })

  test('a job that is paused, or runs as often as it may, fails its node in words', async () => {
    await post(`job-info/change?id=${jobs.A}&enable=0`)
    const runId = await run(await add(nodes({ A: '', B: 'A' })))
    expect(await standing(runId)).toMatchObject({
      state: failed,
      result: '节点“A”失败：任务已暂停',
      steps: { A: 4, B: 9 },
    })
    jobs.X = await addJob('X', { timeExpressionType: 1, maxInstanceNum: 1 })
    await post(`job-info/run?id=${jobs.X}`)
    const other = await run(await add(nodes({ X: '' }), { workflowName: '别的' }))
    expect(await standing(other)).toMatchObject({
      state: failed,
      result: expect.stringContaining('too many instances(2>1)'),
    })
  })

  test('jobs in every process are nodes, too', async () => {
    jobs.B = await addJob('广播', { executeType: 2 })
    const runId = await run(await add(nodes({ A: '', B: 'A', C: 'B' })))
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded })
    expect(done.toSorted()).toEqual(['A', 'C', '广播', '广播'])
  })

  test('changing it leaves runs that are under way as they are', async () => {
    const id = await add(nodes({ A: '', B: 'A' }))
    const runId = await run(id)
    const rows = await t.db.selectFrom('job_workflow_node').select(['id', 'nodeName']).orderBy('id').execute()
    const gone = rows.find(row => row.nodeName === 'B')?.id
    const version = await versionOf(t, 'job_workflow', id)
    const changed = await submit([{ id: rows[0]?.id }, { id: gone, isDeleted: 1 }], { id, version })
    expect(changed.msg).toBe('操作成功')
    await work(t, twin)
    expect((await standing(runId)).steps).toEqual({ A: 5, B: 5 })
  })
})

describe('the clock', () => {
  test('begins one run for each time, of two servers one does; the next time is planned', async () => {
    const id = await add(nodes({ A: '' }), { timeExpressionType: 2, timeExpression: '0 0 2 * * ?' })
    const next = async () =>
      wireTime(
        (await t.db.selectFrom('job_workflow').select('nextTime').where('id', '=', id).executeTakeFirstOrThrow())
          .nextTime,
      )
    expect(await next()).toBe('2026-11-22 02:00:00')
    at('2026-11-22 02:00:00')
    for (let i = 0; i < 3; i++) await Promise.all([t, twin].map(({ app }) => beginDueWorkflows(app)))
    await work(t, twin)
    expect([done, await next()]).toEqual([['A'], '2026-11-23 02:00:00'])
    at('2026-11-25 12:00:00')
    await beginDueWorkflows(t.app)
    await work(t, twin)
    expect([done, await next()]).toEqual([['A', 'A'], '2026-11-26 02:00:00'])
    at(begin)
    expect((await post(`job-workflow/change?id=${id}&enable=0`)).code).toBe(200)
    expect([await next(), (await post(`job-workflow/run?id=${id}`)).code]).toEqual(['', 29009])
    expect((await post(`job-workflow/change?id=${id}&enable=1`)).code).toBe(200)
    expect(await next()).toBe('2026-11-22 02:00:00')
  })

  test('has as many runs at once as the workflow may have; one more is entered as called off', async () => {
    const id = await add(nodes({ A: '' }))
    const [first, second] = [await run(id), await run(id)]
    expect(await standing(second)).toMatchObject({ state: cancelled, result: 'too many instances(2>1)', steps: {} })
    await work(t)
    expect(await standing(first)).toMatchObject({ state: succeeded })
    const both = await Promise.all([1, 2, 3, 4].map(() => run(id)))
    const states = await Promise.all(both.map(async one => (await standing(one)).state))
    expect(states.toSorted((a, b) => a - b)).toEqual([running, cancelled, cancelled, cancelled])
  })
})

describe('while it runs', () => {
  test('it is stopped: what runs is called off, what waits is not begun; tried again it goes on', async () => {
    let told = () => {}
    const started = new Promise<void>(resolve => {
      told = resolve
    })
    meanwhile = (what, signal) =>
      what !== 'B'
        ? Promise.resolve()
        : new Promise((_, reject) => {
            told()
            signal.addEventListener('abort', () => reject(signal.reason))
          })
    const id = await add(nodes({ A: '', B: 'A', C: 'B' }))
    const runId = await run(id)
    const working = work(t)
    await started
    expect((await post(`job-workflow/remove?ids=${id}`)).msg).toContain('请先停止')
    expect((await post(`job-workflow-run/stop?id=${runId}`)).code).toBe(200)
    expect(await standing(runId)).toMatchObject({ state: stopped, steps: { A: 5, B: 10, C: 9 } })
    await working
    meanwhile = async () => undefined
    expect((await post(`job-workflow-run/stop?id=${runId}`)).code).toBe(200)
    expect((await post(`job-workflow-run/retry?id=${runId}`)).code).toBe(200)
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 5, B: 5, C: 5 } })
    const runs = await t.db.selectFrom('job_instance').select('state').orderBy('id').execute()
    expect(runs.map(one => one.state)).toEqual([succeeded, stopped, succeeded, succeeded])
    expect((await post(`job-workflow/remove?ids=${id}`)).code).toBe(200)
  })

  test('a process that dies in the middle of a node is followed by another, and each node is handed over once', async () => {
    const runId = await run(await add(nodes(diamond)))
    const [taken] = await claim(t.db, {
      node: 'dead',
      kinds: ['job.run'],
      rooms: new Map([['job', 1]]),
      now: t.app.now(),
    })
    await t.pool.query(`UPDATE job_instance SET state = 3 WHERE id = $1`, [taken?.key])
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: running, steps: { A: 3 } })
    await t.pool.query(`UPDATE work_item SET "leaseUntil" = clock_timestamp() - interval '1 second', "maxTries" = 3`)
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 5, B: 5, C: 5, D: 5 } })
    expect(done.toSorted()).toEqual(['A', 'B', 'C', 'D'])
  })

  test('a death between the end of a node and the next leaves neither: both are one transaction', async () => {
    const runId = await run(await add(nodes({ A: '', B: 'A' })))
    // The insert of the next run is refused, as if the process had ended there.
    await t.pool.query(`ALTER TABLE job_instance ADD CONSTRAINT dead CHECK ("stepId" IS NULL OR state <> 1) NOT VALID`)
    await work(t)
    await t.pool.query('ALTER TABLE job_instance DROP CONSTRAINT dead')
    expect(await standing(runId)).not.toMatchObject({ steps: { A: 5 } })
    expect(await t.db.selectFrom('job_instance').select('id').execute()).toHaveLength(1)
  })

  test('two branches that end at one moment in two processes begin what joins them once', async () => {
    const id = await add(nodes(diamond))
    for (let round = 0; round < 15; round++) {
      done = []
      let here = 0
      let both = () => {}
      const met = new Promise<void>(resolve => {
        both = resolve
      })
      meanwhile = async what => {
        if (what !== 'B' && what !== 'C') return
        if (++here === 2) both()
        await met
      }
      const runId = await run(id)
      await t.app.queue.workOff().then(() => undefined)
      await work(t, twin)
      expect([await standing(runId), done.filter(one => one === 'D')]).toMatchObject([{ state: succeeded }, ['D']])
    }
    expect(await t.db.selectFrom('job_instance').select('id').execute()).toHaveLength(15 * 4)
  })

  test('a piece that was given up and is tried again in 后台工作 goes on with what is behind it', async () => {
    failing.add('A')
    const runId = await run(await add(nodes({ A: '', B: 'A' })))
    await work(t)
    expect(await standing(runId)).toMatchObject({ state: failed, steps: { A: 4, B: 9 } })
    failing.clear()
    const piece = await t.db.selectFrom('work_item').select('id').executeTakeFirstOrThrow()
    expect((await post(`work-item/retry?id=${piece.id}`)).code).toBe(200)
    expect(await standing(runId)).toMatchObject({ state: running, result: null, steps: { A: 3, B: 1 } })
    await work(t, twin)
    expect(await standing(runId)).toMatchObject({ state: succeeded, steps: { A: 5, B: 5 } })
  })
})

describe('what cannot be a workflow is refused on submit', () => {
  const field = (answer: { data: unknown }) => (answer.data as { field: string }[])[0]?.field

  test.each([
    [{ A: 'A' }, '不能是自己的前置节点', 'job-workflow-node.0.afterNodes'],
    [{ A: '', B: 'X' }, '前置节点“X”不存在', 'job-workflow-node.1.afterNodes'],
    [{ A: 'C', B: 'A', C: 'B' }, '形成循环', 'job-workflow-node.'],
  ])('%j', async (given, words, name) => {
    const answer = await submit(nodes(given as unknown as Record<string, string>))
    expect(answer).toMatchObject({ code: 29005, msg: expect.stringContaining(words) })
    expect(field(answer)).toContain(name)
    expect(await t.db.selectFrom('job_workflow').select('id').execute()).toEqual([])
  })

  test.each([
    [{ A: '', B: 'X' }, 'The node “B” waits for “X”, which does not exist'],
    [{ A: 'B', B: 'A' }, 'Nodes wait for each other in a circle: B → A → B'],
  ])('%j, in English where that is asked for', async (given, words) => {
    const payload = { workflowName: 'w', timeExpressionType: 1, 'job-workflow-node': nodes(given as never) }
    const headers = { ...admin.headers, 'accept-language': 'en' }
    const url = '/api/blade-job/job-workflow/submit'
    expect((await t.call({ method: 'POST', url, headers, payload })).msg).toBe(`Not accepted: ${words}`)
  })

  test('a doubled name, an unknown job, no node at all, a comma in a name', async () => {
    const twice = await submit([...nodes({ A: '' }), ...nodes({ A: '' })])
    expect([twice.code, twice.msg, field(twice)]).toEqual([
      29005,
      expect.stringContaining('重复'),
      'job-workflow-node.1.nodeName',
    ])
    const unknown = await submit(nodes({ A: '' }, { A: { jobInfoId: '4711' } }))
    expect([unknown.code, field(unknown)]).toEqual([29005, 'job-workflow-node.0.jobInfoId'])
    expect(await submit([])).toMatchObject({ code: 29005, msg: expect.stringContaining('请至少添加一个节点') })
    expect((await submit(nodes({ A: '' }, { A: { nodeName: 'A,B' } }))).code).toBe(29005)
    expect((await submit(nodes({ A: '' }), { timeExpressionType: 2, timeExpression: '0 0 2 15 * 2' })).msg).toContain(
      '日和周',
    )
    expect((await submit(nodes({ A: '' }), { timeExpressionType: 3, timeExpression: '60000' })).code).toBe(29005)
  })

  test('work of the server itself, and jobs of PowerJob', async () => {
    await t.db
      .updateTable('job_info')
      .set({ builtin: 1 })
      .where('id', '=', jobs.A ?? '')
      .execute()
    expect((await submit(nodes({ A: '' }))).msg).toContain('系统任务不能作为节点')
    await t.db
      .updateTable('job_info')
      .set({ builtin: 0 })
      .where('id', '=', jobs.A ?? '')
      .execute()
    await t.db.updateTable('job_server').set({ serverType: JobServerType.powerJob }).where('id', '=', server).execute()
    expect((await submit(nodes({ A: '' }))).msg).toContain('PowerJob任务不能作为节点')
    await t.db.updateTable('job_server').set({ serverType: JobServerType.builtIn }).where('id', '=', server).execute()
  })

  test('a node that is changed or removed by itself keeps the workflow right; of two at one moment one is refused', async () => {
    const id = await add(nodes({ A: '', B: '' }))
    const rows = await t.db.selectFrom('job_workflow_node').select(['id', 'nodeName']).orderBy('id').execute()
    const [a, b] = rows.map(row => row.id)
    const before = await versionOf(t, 'job_workflow', id)
    const change = (node: string | undefined, afterNodes: string) =>
      post('job-workflow-node/submit', { id: node, afterNodes })
    const both = await Promise.all([change(a, 'B'), change(b, 'A')])
    expect(both.map(one => one.code).toSorted()).toEqual([200, 29005])
    const late = await submit([{ id: a, afterNodes: '' }], { id, version: before })
    expect(late.code).toBe(29002)
    const now = await versionOf(t, 'job_workflow', id)
    const circle = await submit(
      [
        { id: b, afterNodes: 'A' },
        { id: a, afterNodes: 'B' },
      ],
      { id, version: now },
    )
    expect([circle.code, field(circle)]).toEqual([
      29005,
      expect.stringMatching(/^job-workflow-node\.[01]\.afterNodes$/),
    ])
    const linked = both[0]?.code === 200 ? b : a
    expect((await post(`job-workflow-node/remove?ids=${linked}`)).msg).toContain('不存在')
  })

  test('a job that is a node stays, and is not run by hand where it is only a node', async () => {
    const id = await add(nodes({ A: '' }))
    expect(await post(`job-info/remove?ids=${jobs.A}`)).toMatchObject({
      code: 29003,
      msg: expect.stringContaining('任务“A”是工作流“夜间”的节点'),
    })
    expect(await post(`job-info/run?id=${jobs.A}`)).toMatchObject({
      code: 29009,
      msg: expect.stringContaining('工作流'),
    })
    expect((await post(`job-workflow/remove?ids=${id}`)).code).toBe(200)
    expect((await post(`job-info/remove?ids=${jobs.A}`)).code).toBe(200)
  })
})
