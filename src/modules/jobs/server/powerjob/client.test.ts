import { createHash } from 'node:crypto'
import http from 'node:http'
import net, { type AddressInfo } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { type FakeOptions, type FakePowerJob, fakePowerJob } from '../../../../../tests/fake-powerjob/server.ts'
import { type Connection, powerJob, type Session } from './client.ts'
import { ServerRefusal, ServerUnreachable, WrongPassword } from './errors.ts'
import { localValues, saveRequest } from './mapping.ts'

const closing: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closing.splice(0)) await close()
})

async function fake(options: FakeOptions): Promise<FakePowerJob> {
  const server = await fakePowerJob(options)
  closing.push(server.close)
  return server
}

const connect = (url: string, more: Partial<Connection> = {}, session: Session = {}) =>
  powerJob({ url, appName: 'juxian', password: 'Geheim-2', isListed: () => true, ...more }, session)

const job = localValues({
  jobName: '对账',
  timeExpressionType: 2,
  timeExpression: '0 0 2 * * ?',
  executeType: 1,
  dispatchStrategy: 1,
  processorType: 1,
  processorInfo: 'com.example.Reconcile',
  enable: 1,
})
const request = (id = '7') => saveRequest(id, job, null)

/** An address where nobody listens. */
async function freeAddress(): Promise<string> {
  const server = net.createServer()
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  const { port } = server.address() as AddressInfo
  await new Promise(done => server.close(done))
  return `http://127.0.0.1:${port}`
}

describe('signs in', () => {
  test('at version 5 with the MD5 of the password, and shows its token from then on', async () => {
    const server = await fake({ version: 5, auth: 'on' })
    const there = connect(server.url)
    expect(await there.signIn()).toMatchObject({ generation: 5, appId: '1' })
    expect(await there.jobs()).toEqual([])
    expect(server.calls).toEqual(['authApp', 'fetchAllJob'])
    const encryptedPassword = createHash('md5').update('Geheim-2').digest('hex')
    expect(server.sent.get('authApp')).toEqual({ appName: 'juxian', encryptedPassword, encryptType: 'md5' })
  })

  test('at version 5 that looks at no token and says nothing of it', async () => {
    const server = await fake({ version: 5, auth: 'off' })
    const there = connect(server.url)
    await there.jobs()
    await there.jobs()
    expect(server.calls).toEqual(['authApp', 'fetchAllJob', 'fetchAllJob'])
  })

  test('at version 4, which refuses the newer way like anything else, with the password itself', async () => {
    const server = await fake({ version: 4 })
    const there = connect(server.url)
    expect([await there.generation(), await there.jobs()]).toEqual([4, []])
    expect(server.calls).toEqual(['authApp', 'assert', 'fetchAllJob'])
    expect(server.sent.get('assert')).toEqual({ appName: 'juxian', password: 'Geheim-2' })
  })

  test('at a version 4 that answers the newer way by HTTP 404', async () => {
    const server = http.createServer((asked, answer) => {
      const isOlder = asked.url === '/pre/openApi/assert'
      answer.writeHead(isOlder ? 200 : 404, { 'content-type': 'application/json' })
      answer.end(isOlder ? '{"success":true,"data":3,"message":null}' : '{"status":404,"success":false}')
    })
    await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
    closing.push(() => server.close())
    const { port } = server.address() as AddressInfo
    expect(await connect(`http://127.0.0.1:${port}/pre/`).signIn()).toEqual({ generation: 4, appId: '3', token: null })
  })

  test('anew when its token has expired, once', async () => {
    const server = await fake({ version: 5, auth: 'on' })
    const there = connect(server.url)
    await there.jobs()
    server.expireTokens()
    expect(await there.save(request())).toBe('1')
    expect(server.calls).toEqual(['authApp', 'fetchAllJob', 'saveJob', 'authApp', 'saveJob'])
    expect(server.jobs.size).toBe(1)
  })

  test.each([4, 5] as const)(
    'and is told of a wrong password and an unknown application by version %i',
    async version => {
      const server = await fake({ version })
      await expect(connect(server.url, { password: 'x' }).signIn()).rejects.toThrow(WrongPassword)
      await expect(connect(server.url, { appName: 'x' }).jobs()).rejects.toThrow(/can't find app by appName: x/)
    },
  )
})

describe('calls', () => {
  test.each([
    { version: 5, dates: 'iso' },
    { version: 4, dates: 'ms' },
  ] as const)('save, read, switch, run and delete at version $version, dates as $dates', async options => {
    const server = await fake(options)
    const there = connect(server.url)
    const jobId = await there.save(request())
    const found = await there.job(jobId)
    expect(found).toMatchObject({ jobId, isDeleted: false, tag: 'juxian:7' })
    expect(found?.modified?.getTime()).toBe(server.jobs.get(1)?.gmtModified)
    expect((await there.jobByTag('juxian:7'))?.jobId).toBe(jobId)
    expect(await there.jobByTag('juxian:8')).toBeNull()
    await there.enable(jobId, false)
    expect(server.jobs.get(1)?.status).toBe(2)
    const instanceId = await there.run(jobId, 'a=1&b=2')
    expect(instanceId).toBe('1004693291721031877')
    server.finish(instanceId, 5, 'done')
    expect(await there.instance(instanceId)).toMatchObject({ instanceId, status: 5, instanceParams: 'a=1&b=2' })
    await there.remove(jobId)
    expect([(await there.jobs())[0]?.isDeleted, await there.jobByTag('juxian:7')]).toEqual([true, null])
    expect([await there.job('99'), await there.instance('1004693291721031878')]).toEqual([null, null])
    await there.remove('99')
  })

  test('list runs page by page at version 5', async () => {
    const server = await fake({ version: 5 })
    const id = server.edit({})
    for (let i = 0; i < 150; i++) server.begin(id)
    const there = connect(server.url)
    const first = await there.instances(new Date(0), 0)
    const second = await there.instances(new Date(0), 1)
    expect([first.runs.length, first.isLast, second.runs.length, second.isLast]).toEqual([100, false, 50, true])
    expect((await there.instances(new Date(Date.now() + 60_000), 0)).runs).toEqual([])
  })

  test('give what is refused in the words of the server', async () => {
    const server = await fake({ version: 5 })
    server.switches.refuse = { call: 'saveJob', words: 'PowerJobException: time expression is out of date' }
    const asked = connect(server.url).save(request())
    await expect(asked).rejects.toThrow(ServerRefusal)
    await expect(asked).rejects.toThrow('time expression is out of date')
  })
})

describe('nobody answers', () => {
  test.each([
    ['ends the connection', (server: FakePowerJob) => (server.switches.down = true)],
    ['answers HTTP 500', (server: FakePowerJob) => (server.switches.http500 = true)],
    ['answers a page', (server: FakePowerJob) => (server.switches.garbage = true)],
    ['answers 30 MB', (server: FakePowerJob) => (server.switches.huge = true)],
    ['says nothing for ten seconds', (server: FakePowerJob) => (server.switches.slow = 10_000)],
  ])('when the server %s, within five seconds, and works again later', async (_what, misbehave) => {
    const server = await fake({ version: 5 })
    const there = connect(server.url)
    await there.jobs()
    misbehave(server)
    const begin = performance.now()
    await expect(there.jobs()).rejects.toThrow(ServerUnreachable)
    expect(performance.now() - begin).toBeLessThan(9000)
    Object.assign(server.switches, { down: false, http500: false, garbage: false, huge: false, slow: 0 })
    expect(await there.jobs()).toEqual([])
  })

  test('where the host is not allowed: no connection is made', async () => {
    const server = await fake({ version: 5 })
    await expect(connect(server.url, { isListed: () => false }).jobs()).rejects.toThrow(ServerUnreachable)
    expect(server.calls).toEqual([])
  })
})

describe('of several addresses', () => {
  test('the first that answers is taken, and is the first from then on', async () => {
    const server = await fake({ version: 5 })
    const session: Session = {}
    const there = connect(`${await freeAddress()},${server.url}`, {}, session)
    expect(await there.jobs()).toEqual([])
    expect(session.lastGood).toBe(server.url)
  })

  test('one that hangs leaves time to the next', async () => {
    const [slow, server] = [await fake({ version: 5 }), await fake({ version: 5 })]
    slow.switches.slow = 10_000
    expect(await connect(`${slow.url},${server.url}`).jobs()).toEqual([])
  })

  test('a run is not begun at the next when the first may have begun it', async () => {
    const [first, second] = [await fake({ version: 4 }), await fake({ version: 4 })]
    first.edit({})
    second.edit({})
    const there = connect(`${first.url},${second.url}`)
    await there.jobs()
    first.switches.dropAnswerOf = 'runJob'
    await expect(there.run('1', null)).rejects.toThrow(ServerUnreachable)
    expect(second.calls).toEqual([])
  })
})
