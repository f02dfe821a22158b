import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { JobServerState } from '#schemas/dictionaries'
import { type FakePowerJob, fakePowerJob } from '../../../../../tests/fake-powerjob/server.ts'
import { type TestApp, testApp } from '../../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../../tests/helper/login.ts'

let t: TestApp
let admin: Session
let newer: FakePowerJob
let older: FakePowerJob

const post = <T = unknown>(path: string, payload: object = {}) =>
  t.call<T>({ method: 'POST', url: `/api/blade-job/${path}`, headers: admin.headers, payload })

beforeAll(async () => {
  t = await testApp()
  admin = await loginAs(t, 'administrator')
  await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
  newer = await fakePowerJob({ version: 5, auth: 'on' })
  older = await fakePowerJob({ version: 4 })
})
afterAll(async () => {
  await newer?.close()
  await older?.close()
  await t?.close()
})

async function add(more: object): Promise<string> {
  const jobServerName = `服务${Math.random()}`
  const row = { jobServerName, jobServerUrl: newer.url, jobAppName: 'juxian', jobAppPassword: 'Geheim-2', ...more }
  expect(await post('job-server/submit', row)).toMatchObject({ code: 200 })
  const found = t.db.selectFrom('job_server').select('id').where('jobServerName', '=', jobServerName)
  return (await found.executeTakeFirstOrThrow()).id
}
const rowOf = (id: string) => t.db.selectFrom('job_server').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

test('a server is PowerJob unless told, and stays of its kind', async () => {
  const id = await add({})
  expect(await rowOf(id)).toMatchObject({ serverType: 2, serverState: null })
  expect(await post('job-server/submit', { id, serverType: 3 })).toMatchObject({ code: 29005 })
  expect(await post('job-server/submit', { id, serverType: 2, jobServerName: '改名' })).toMatchObject({ code: 200 })
  expect((await post('job-server/submit', { ...(await rowOf(id)), id: '', serverType: 1 })).code).toBe(29005)
})

test('PowerJob may have several addresses, a webhook has one', async () => {
  const jobServerUrl = `${newer.url},${older.url}`
  await add({ jobServerUrl })
  const row = { jobServerName: '钩', jobAppName: 'juxian', jobAppPassword: 'x', serverType: 3, jobServerUrl }
  expect((await post('job-server/submit', row)).msg).toContain('只能填一个')
  const far = { ...row, serverType: 2, jobServerUrl: `${newer.url},http://169.254.169.254/` }
  expect((await post('job-server/submit', far)).msg).toContain('job.hosts')
})

describe('testing the connection', () => {
  test.each([
    ['5.x', () => newer],
    ['4.x', () => older],
  ])('tells that the server is of version %s, and notes it', async (version, server) => {
    const id = await add({ jobServerUrl: server().url })
    expect(await post(`job-server/test?id=${id}`)).toMatchObject({ code: 200, data: { version, appId: '1' } })
    expect(await rowOf(id)).toMatchObject({ serverState: JobServerState.normal, version, appId: '1' })
    expect((await rowOf(id)).stateTime).not.toBeNull()
  })

  test('tells a wrong password in the words of the server, and what it has become when it is right', async () => {
    const id = await add({ jobAppPassword: 'wrong' })
    const refused = await post(`job-server/test?id=${id}`)
    expect([refused.code, refused.msg]).toEqual([29005, expect.stringContaining('password error')])
    expect(await rowOf(id)).toMatchObject({ serverState: JobServerState.wrongPassword })
    await post('job-server/submit', { id, jobAppPassword: 'Geheim-2' })
    expect(await rowOf(id)).toMatchObject({ serverState: null })
    expect((await post(`job-server/test?id=${id}`)).code).toBe(200)
  })

  test('tells that nobody answers, and works again without a new start', async () => {
    const id = await add({ jobServerUrl: older.url })
    older.switches.down = true
    expect(await post(`job-server/test?id=${id}`)).toMatchObject({ code: 29013, status: 500 })
    expect(await rowOf(id)).toMatchObject({ serverState: JobServerState.unreachable })
    older.switches.down = false
    expect((await post(`job-server/test?id=${id}`)).code).toBe(200)
  })

  test('is for PowerJob, and for servers that are there', async () => {
    const id = await add({ serverType: 3 })
    expect((await post(`job-server/test?id=${id}`)).code).toBe(29009)
    expect((await post('job-server/test?id=1')).code).toBe(29001)
  })

  test('makes no connection to a host that has been taken off the list', async () => {
    const id = await add({})
    const before = newer.calls.length
    await t.db.updateTable('param').set({ paramValue: '-' }).where('paramKey', '=', 'job.hosts').execute()
    expect((await post(`job-server/test?id=${id}`)).code).toBe(29013)
    await t.db.updateTable('param').set({ paramValue: '127.0.0.1' }).where('paramKey', '=', 'job.hosts').execute()
    expect(newer.calls.length).toBe(before)
  })
})

test('all servers are checked at once; one that cannot be asked is named, and refused is only when none can', async () => {
  await t.pool.query('DELETE FROM job_server')
  const ids = [await add({}), await add({ jobServerUrl: older.url }), await add({ serverType: 3 })]
  older.switches.http500 = true
  const answer = await post<{ servers: number; failed: { id: string; reason: string }[] }>('job-server/sync')
  expect(answer.data).toMatchObject({ servers: 2, failed: [{ id: ids[1], reason: '任务服务器不可达' }] })
  newer.switches.http500 = true
  expect((await post('job-server/sync')).code).toBe(29013)
  Object.assign(newer.switches, { http500: false })
  Object.assign(older.switches, { http500: false })
  expect((await post('job-server/sync')).data).toEqual({ servers: 2, failed: [] })
})
