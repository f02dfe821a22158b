import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { JobEnable, JobInstanceStatus, JobSyncState } from '#schemas/dictionaries'
import { type FakePowerJob, fakePowerJob } from '../../../../../tests/fake-powerjob/server.ts'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../../tests/helper/login.ts'
import { soon } from '../../../../../tests/helper/soon.ts'
import { versionOf } from '../../../../../tests/helper/version.ts'
import type { Synced } from './sync.ts'

let t: TestApp
let twin: TestApp
let admin: Session
const fakes = new Map<4 | 5, FakePowerJob>()
const servers = new Map<4 | 5, string>()

const post = <T = unknown>(path: string, payload: object = {}) =>
  t.call<T>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })
/** Changes a job as somebody does who has just read it. */
const edit = async (id: string, more: object) =>
  post('job-info/submit', { id, version: await versionOf(t, 'job_info', id), ...more })
const get = <T>(path: string) => t.call<T>({ url: `/api/blade-job/${path}`, headers: admin.headers })
const sync = (more: object = {}) => post<Synced>('job-info/sync', { jobServerId: servers.get(5), ...more })

const newer = () => fakes.get(5) as FakePowerJob
const older = () => fakes.get(4) as FakePowerJob

beforeAll(async () => {
  t = await testApp()
  twin = await testApp({ url: t.url })
  admin = await loginAs(t, 'administrator')
  await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
})
afterAll(async () => {
  for (const fake of fakes.values()) await fake.close()
  await twin?.close()
  await t?.close()
})

beforeEach(async () => {
  await t.pool.query('DELETE FROM job_instance; DELETE FROM job_info; DELETE FROM job_server WHERE "serverType" = 2')
  for (const version of [4, 5] as const) {
    await fakes.get(version)?.close()
    const fake = await fakePowerJob(version === 5 ? { version, auth: 'on' } : { version, dates: 'ms' })
    fakes.set(version, fake)
    const jobServerName = `PowerJob ${version}`
    const row = { jobServerName, jobServerUrl: fake.url, jobAppName: 'juxian', jobAppPassword: 'Geheim-2' }
    expect((await post('job-server/submit', row)).code).toBe(200)
    const found = t.db.selectFrom('job_server').select('id').where('jobServerName', '=', jobServerName)
    servers.set(version, (await found.where('isDeleted', '=', 0).executeTakeFirstOrThrow()).id)
  }
})

const row = (more: object = {}) => ({
  jobServerId: servers.get(5),
  jobName: '对账',
  processorInfo: 'com.example.Reconcile',
  timeExpression: '0 0 2 * * ?',
  ...more,
})
const jobs = () => t.db.selectFrom('job_info').selectAll().where('isDeleted', '=', 0).orderBy('id').execute()
const job = async () => (await jobs()).at(-1) as Awaited<ReturnType<typeof jobs>>[number]

async function add(more: object = {}) {
  expect(await post('job-info/submit', row(more))).toMatchObject({ code: 200 })
  return job()
}

describe('a job that is saved here', () => {
  test.each([4, 5] as const)('is saved at version %i, with names and its mark, and has its id', async version => {
    const saved = await add({ jobServerId: servers.get(version), executeType: 4, alertThreshold: 2 })
    const fake = fakes.get(version) as FakePowerJob
    expect(saved).toMatchObject({ jobId: '1', syncState: JobSyncState.synced })
    expect(saved.nextTime).not.toBeNull()
    expect(fake.sent.get('saveJob')).toMatchObject({ executeType: 'MAP', tag: `juxian:${saved.id}`, appId: 1 })
    expect(fake.jobs.get(1)).toMatchObject({ jobName: '对账', executeType: 4, status: 1 })
    expect((await edit(saved.id, { jobName: '新名' })).code).toBe(200)
    expect([fake.jobs.get(1)?.jobName, (await job()).syncState]).toEqual(['新名', JobSyncState.synced])
  })

  test('is refused in the words of the server: a new one is not there, a changed one is as it was', async () => {
    newer().switches.refuse = { call: 'saveJob', words: 'PowerJobException: time expression is out of date' }
    const refused = await post('job-info/submit', row())
    expect([refused.code, refused.msg]).toEqual([29005, expect.stringContaining('time expression is out of date')])
    expect(await jobs()).toEqual([])
    const saved = await add()
    newer().switches.refuse = { call: 'saveJob', words: 'PowerJobException: no' }
    expect((await edit(saved.id, { jobName: '新名' })).code).toBe(29005)
    expect(await job()).toMatchObject({ jobName: '对账', syncState: JobSyncState.synced })
  })

  test.each([
    [{ timeExpressionType: 3, timeExpression: '0' }],
    [{ timeExpressionType: 4, timeExpression: '130000' }],
    [{ timeExpression: '0 0 2 15 * 2' }],
    [{ lifecycle: ['2020-01-01 00:00:00', '2020-02-01 00:00:00'] }],
  ])('with %j is refused before the server is asked', async more => {
    expect((await post('job-info/submit', row(more))).code).toBe(29005)
    expect(newer().calls).toEqual([])
  })

  test('is kept as not synced while the server is down; sending it again makes no second one', async () => {
    newer().switches.down = true
    expect(await post('job-info/submit', row())).toMatchObject({ code: 29013, msg: expect.stringContaining('已保存') })
    expect(await job()).toMatchObject({ jobId: null, syncState: JobSyncState.unsynced })
    expect((await post('job-info/submit', row())).code).toBe(29013)
    newer().switches.down = false
    expect((await post('job-info/submit', row())).code).toBe(200)
    expect([(await jobs()).length, newer().jobs.size, (await job()).syncState]).toEqual([1, 1, JobSyncState.synced])
  })
})

describe('while the server is down', () => {
  test('nothing changes by change, run and remove; it works again without a new start', async () => {
    const saved = await add()
    newer().switches.down = true
    const calls = [`change?id=${saved.id}&enable=0`, `run?id=${saved.id}`, `remove?ids=${saved.id}`]
    for (const one of calls) expect([one, (await post(`job-info/${one}`)).code]).toEqual([one, 29013])
    expect(await jobs()).toMatchObject([{ enable: JobEnable.enabled, syncState: JobSyncState.synced }])
    expect((await sync()).code).toBe(29013)
    expect(await job()).toMatchObject({ syncState: JobSyncState.unsynced })
    newer().switches.down = false
    expect((await sync()).data).toMatchObject({ pushed: 0, updated: 0, failed: [] })
    expect(await job()).toMatchObject({ syncState: JobSyncState.synced })
    for (const one of calls)
      expect([one.split('?')[0], (await post(`job-info/${one}`)).code]).toEqual([
        one.split('?')[0],
        one.startsWith('run') ? 29009 : 200,
      ])
    expect([await jobs(), newer().jobs.get(1)?.status]).toEqual([[], 99])
  })

  test('one of several servers that does not answer is named, and the others are synced', async () => {
    older().edit({ jobName: '老' })
    newer().switches.http500 = true
    const { data } = await post<Synced>('job-info/sync')
    expect(data).toMatchObject({
      added: 1,
      failed: [{ jobServerId: servers.get(5), jobName: '', reason: '任务服务器不可达' }],
    })
  })
})

describe('syncing', () => {
  test('brings what is new, changed and deleted there, and nothing twice', async () => {
    newer().edit({ jobName: '甲', executeType: 4, dispatchStrategy: 11, lifecycle: '{"end":4102415999000}' })
    newer().edit({ jobName: '删', status: 99 })
    expect((await sync()).data).toMatchObject({ added: 1, updated: 0, failed: [] })
    expect(await jobs()).toMatchObject([
      { jobName: '甲', jobId: '1', executeType: 4, dispatchStrategy: 11, syncState: 1 },
    ])
    expect((await sync()).data).toMatchObject({ added: 0, updated: 0, pushed: 0, removed: 0 })
    newer().edit({ id: 1, jobName: '甲二', status: 2 })
    await t.db.updateTable('job_info').set({ notifyUserIds: '1' }).execute()
    expect((await sync()).data).toMatchObject({ updated: 1 })
    expect(await job()).toMatchObject({ jobName: '甲二', enable: JobEnable.paused, notifyUserIds: '1' })
    newer().deleteJob(1)
    expect((await sync()).data).toMatchObject({ removed: 1 })
    expect(await job()).toMatchObject({ syncState: JobSyncState.removed, enable: JobEnable.paused })
    expect((await sync()).data).toMatchObject({ removed: 0 })
  })

  test('a job that cannot be kept here is named, and the others come', async () => {
    newer().edit({ jobName: 'x'.repeat(51) })
    newer().edit({ jobName: '乙' })
    const { data } = await sync()
    expect(data).toMatchObject({ added: 1, failed: [{ reason: '任务名称超过50个字符' }] })
  })

  test('changed here is pushed, and what only the server has stays', async () => {
    newer().edit({ jobName: '甲', dispatchStrategyConfig: '{"x":1}', notifyUserIds: '3,4' })
    await sync()
    await t.db.updateTable('job_info').set({ jobName: '乙' }).execute()
    expect((await sync()).data).toMatchObject({ pushed: 1 })
    expect(newer().jobs.get(1)).toMatchObject({
      jobName: '乙',
      dispatchStrategyConfig: '{"x":1}',
      notifyUserIds: '3,4',
    })
  })

  test('changed on both sides stays on both until somebody chooses', async () => {
    for (const jobName of ['甲', '乙']) await add({ jobName })
    const [one, other] = await jobs()
    await t.db.updateTable('job_info').set({ concurrency: 7 }).execute()
    for (const id of [1, 2]) newer().edit({ id, concurrency: 9 })
    const { data } = await sync()
    expect(data.conflicts.map(({ id }) => id)).toEqual([one?.id, other?.id])
    expect(await jobs()).toMatchObject([
      { concurrency: 7, syncState: 3 },
      { concurrency: 7, syncState: 3 },
    ])
    const sides = await get<{ fields: { local: string; remote: string; isSame: boolean }[] }>(
      `job-info/sides?id=${one?.id}`,
    )
    expect(sides.data.fields.filter(field => !field.isSame)).toMatchObject([{ local: '7', remote: '9' }])
    expect((await sync({ ids: one?.id, prefer: 'local' })).data).toMatchObject({ pushed: 1 })
    expect((await sync({ ids: other?.id, prefer: 'remote' })).data).toMatchObject({ updated: 1 })
    expect((await jobs()).map(now => [now.concurrency, now.syncState])).toEqual([
      [7, 1],
      [9, 1],
    ])
    expect([newer().jobs.get(1)?.concurrency, newer().jobs.get(2)?.concurrency]).toEqual([7, 9])
    expect((await sync({ ids: one?.id, prefer: 'both' })).code).toBe(29005)
  })

  test('its workers are known to its server alone', async () => {
    await t.pool.query(`INSERT INTO app_node VALUES ('host-1', clock_timestamp(), clock_timestamp())`)
    expect((await get<unknown[]>(`job-server/workers?jobServerId=${servers.get(5)}`)).data).toEqual([])
    expect((await get<unknown[]>('job-server/workers')).data).toEqual([{ name: 'host-1', isHere: false }])
  })

  test('a form that was opened before a sync brought a change overwrites nothing', async () => {
    const saved = await add()
    const { version } = saved
    newer().edit({ id: 1, concurrency: 9 })
    expect((await sync()).data).toMatchObject({ updated: 1 })
    expect((await post('job-info/submit', { id: saved.id, version, concurrency: 7 })).code).toBe(29002)
    expect([newer().jobs.get(1)?.concurrency, (await job()).concurrency]).toEqual([9, 9])
    // A sync that brings nothing leaves forms as they are.
    const later = (await job()).version
    expect((await sync()).data).toMatchObject({ updated: 0, pushed: 0 })
    expect((await post('job-info/submit', { id: saved.id, version: later, concurrency: 7 })).code).toBe(200)
    newer().jobs.get(1)!.status = 99
    const open = (await job()).version
    expect((await sync()).data).toMatchObject({ removed: 1 })
    expect((await post('job-info/submit', { id: saved.id, version: open, concurrency: 8 })).code).toBe(29002)
  })

  test('saving here what was changed there since is no way around: the row is in conflict', async () => {
    const saved = await add()
    newer().edit({ id: 1, concurrency: 9 })
    expect((await edit(saved.id, { concurrency: 7 })).code).toBe(29002)
    expect(await job()).toMatchObject({ concurrency: 7, syncState: JobSyncState.conflict })
    expect(newer().jobs.get(1)?.concurrency).toBe(9)
  })

  test('a job that was saved there before the answer was lost is found by its mark', async () => {
    newer().switches.dropAnswerOf = 'saveJob'
    expect((await post('job-info/submit', row())).code).toBe(29013)
    expect([newer().jobs.size, (await job()).jobId]).toEqual([1, null])
    expect((await sync()).data).toMatchObject({ added: 0, pushed: 0, failed: [] })
    expect([newer().jobs.size, await jobs()]).toMatchObject([1, [{ jobId: '1', syncState: JobSyncState.synced }]])
  })

  test('of two at once, in two processes, one is refused', async () => {
    for (let i = 0; i < 5; i++) newer().edit({ jobName: `任务${i}` })
    newer().switches.slow = 100
    const url = '/api/blade-job/job-info/sync'
    const call = { method: 'POST', url, headers: admin.headers, payload: { jobServerId: servers.get(5) } } as const
    const codes = (await Promise.all([t.call(call), twin.call(call)])).map(one => one.code).toSorted()
    expect([codes, (await jobs()).length]).toEqual([[200, 29006], 5])
  })

  test('of a process that has died is taken over a minute later, and one that was taken over stops', async () => {
    const begun = new Date()
    const hold = (syncBy: string, seconds: number) =>
      t.db
        .updateTable('job_server')
        .set({ syncBy, syncUntil: new Date(begun.getTime() + seconds * 1000) })
        .where('id', '=', servers.get(5) ?? '')
        .execute()
    try {
      await hold('dead', 60)
      expect((await sync()).code).toBe(29006)
      t.setNow(new Date(begun.getTime() + 61_000))
      expect((await sync()).code).toBe(200)
      for (let i = 0; i < 4; i++) newer().edit({ jobName: `任务${i}` })
      newer().switches.slow = 300
      const late = sync()
      await soon(async () => {
        const [server] = (await t.pool.query('SELECT "syncBy" FROM job_server WHERE id = $1', [servers.get(5)])).rows
        expect(server.syncBy).not.toBeNull()
      })
      await hold('other', 200)
      t.setNow(new Date(begun.getTime() + 90_000))
      expect([(await late).code, await jobs()]).toEqual([29006, []])
    } finally {
      t.setNow(new Date())
      await t.db.updateTable('job_server').set({ syncBy: null, syncUntil: null }).execute()
    }
  })

  test('what somebody changes here meanwhile is not lost', async () => {
    const saved = await add()
    newer().edit({ id: 1, concurrency: 9 })
    newer().switches.slow = 150
    const syncing = sync()
    await new Promise(done => setTimeout(done, 200))
    await t.db.updateTable('job_info').set({ jobDescription: '改' }).where('id', '=', saved.id).execute()
    expect((await syncing).data.updated + (await syncing).data.conflicts.length).toBeLessThanOrEqual(1)
    expect((await job()).jobDescription).toBe('改')
  })

  test('is nothing for servers of other kinds, and refused for one that is not there', async () => {
    expect((await post('job-info/sync', { jobServerId: '1' })).code).toBe(29001)
    await t.pool.query('DELETE FROM job_server WHERE "serverType" = 2')
    const none = { added: 0, updated: 0, removed: 0, pushed: 0, conflicts: [], failed: [] }
    expect((await post('job-info/sync')).data).toEqual(none)
  })
})

describe('runs', () => {
  type Runs = { records: { instanceId: string; state: number; result: string; trigger: number }[] }
  const runs = (id: string) => get<Runs>(`job-instance/page?jobInfoId=${id}`)

  test.each([4, 5] as const)('of version %i are begun there and come back with what became of them', async version => {
    const saved = await add({ jobServerId: servers.get(version) })
    const fake = fakes.get(version) as FakePowerJob
    const { data } = await post<{ instanceId: string }>(`job-info/run?id=${saved.id}`, { jobParams: 'a=1' })
    expect(data).toEqual({ instanceId: '1004693291721031877' })
    expect(fake.instance(data.instanceId)).toMatchObject({ instanceParams: 'a=1' })
    expect((await runs(saved.id)).data.records).toMatchObject([{ instanceId: data.instanceId, state: 1, trigger: 2 }])
    fake.finish(data.instanceId, JobInstanceStatus.succeeded, 'done')
    await t.app.jobs.run('powerjob-runs')
    expect((await runs(saved.id)).data.records).toMatchObject([{ state: 5, result: 'done' }])
    expect(await job()).toMatchObject({ lastStatus: 5 })
  })

  test('that the server began by the clock are here once, whoever looks', async () => {
    const saved = await add()
    const id = newer().begin(1)
    await Promise.all([t, twin].map(({ app }) => app.jobs.run('powerjob-runs')))
    newer().finish(id, JobInstanceStatus.failed, 'no worker available')
    const { data } = await runs(saved.id)
    expect(data.records).toMatchObject([{ instanceId: id, state: 4, result: 'no worker available', trigger: 1 }])
  })

  test('stay when the job was deleted there', async () => {
    const saved = await add()
    await post(`job-info/run?id=${saved.id}`)
    newer().deleteJob(1)
    await sync()
    expect((await runs(saved.id)).data.records).toHaveLength(1)
    expect(await job()).toMatchObject({ syncState: JobSyncState.removed })
  })

  test('can be read while the server is down', async () => {
    const saved = await add()
    await post(`job-info/run?id=${saved.id}`)
    newer().switches.down = true
    expect((await runs(saved.id)).data.records).toHaveLength(1)
  })
})
