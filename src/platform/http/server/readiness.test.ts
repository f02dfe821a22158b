import { rename } from 'node:fs/promises'
import path from 'node:path'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestApp, type TestDatabase, testApp, testDatabase } from '../../../../tests/helper/app.ts'
import { type Relay, relayTo } from '../../../../tests/helper/relay.ts'
import { buildApp } from '../../../server/app.ts'
import { readConfig } from '../../config/config.ts'
import { limits } from '../../config/limits.ts'
import { Listener } from './listener.ts'

let database: TestDatabase
let relay: Relay
let t: TestApp
const lines: string[] = []
beforeAll(async () => {
  database = await testDatabase()
  relay = await relayTo(database.url)
  t = await testApp({ url: relay.url, config: { readinessTime: limits.readiness, logTo: line => lines.push(line) } })
})
afterAll(async () => {
  relay?.thaw()
  await t?.close()
  await relay?.cut()
  await database?.drop()
})

/** What is said of a process: the status and the word for it. */
async function said(what: 'live' | 'ready' | 'health', { app } = t): Promise<[number, string, string | undefined]> {
  const { statusCode, headers, ...answer } = await app.inject(`/api/public/${what}`)
  return [statusCode, answer.json().data.status, headers['retry-after'] as string | undefined]
}
/** Waits until it is said: an answer holds for two seconds. */
const untilSaid = (status: number, word: string) =>
  vi.waitFor(async () => expect((await said('ready')).slice(0, 2)).toEqual([status, word]), { timeout: 60_000 })

describe('a server', () => {
  test('lives and is ready', async () => {
    expect([await said('live'), await said('ready')]).toEqual([
      [200, 'up', undefined],
      [200, 'ready', undefined],
    ])
  })

  test('whose database does not answer lives and is not ready, and says so soon', async () => {
    relay.freeze()
    await new Promise(done => setTimeout(done, 2100))
    const since = performance.now()
    expect(await said('live')).toEqual([200, 'up', undefined])
    expect(await said('ready')).toEqual([503, 'database', '2'])
    // Two and a half seconds on an idle machine, three times as many on one that does other work.
    expect(performance.now() - since).toBeLessThan(7500)
    expect((await said('health')).slice(0, 2)).toEqual([503, 'down'])
    relay.thaw()
    const thawed = performance.now()
    await untilSaid(200, 'ready')
    // An answer holds for two seconds; one that goes on is seen within another, or three of a busy machine.
    expect(performance.now() - thawed).toBeLessThan(9000)
    // Such an answer is sent once.
    expect(lines.join('')).not.toContain('already sent')
  })

  test('writes no line of a probe that found nothing wrong', async () => {
    const told = () => lines.filter(line => line.includes('/public/')).map(line => JSON.parse(line).status)
    lines.length = 0
    await Promise.all([said('live'), untilSaid(200, 'ready')])
    await t.app.inject('/api/public/site')
    expect(told().filter(status => status !== 503)).toEqual([200])
    relay.freeze()
    await untilSaid(503, 'database')
    expect(told()).toContain(503)
    relay.thaw()
    await untilSaid(200, 'ready')
  })

  test('whose database takes no writes is not ready', async () => {
    const name = new URL(relay.url).pathname.slice(1)
    await t.pool.query(`ALTER DATABASE ${name} SET default_transaction_read_only = on`)
    await untilSaid(503, 'read-only')
    const client = await t.pool.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER DATABASE ${name} RESET default_transaction_read_only`)
    client.release(true)
    await untilSaid(200, 'ready')
  })

  test('is ready on a database that a newer one has changed, and not on one that was never brought to its definitions', async () => {
    const { rows } = await t.pool.query<{ hash: string }>(`SELECT hash FROM migration WHERE name = 'definitions'`)
    const hash = rows[0]!.hash
    await t.pool.query(`UPDATE migration SET hash = 'newer' WHERE name = 'definitions'`)
    await new Promise(done => setTimeout(done, 2100))
    expect((await said('ready')).slice(0, 2)).toEqual([200, 'ready'])
    await t.pool.query('DELETE FROM schema_past')
    await untilSaid(503, 'schema')
    await t.pool.query('INSERT INTO schema_past (hash) VALUES ($1)', [hash])
    await t.pool.query(`UPDATE migration SET hash = $1 WHERE name = 'definitions'`, [hash])
    await untilSaid(200, 'ready')
  })

  test('whose files are elsewhere is not ready', async () => {
    const other = await testApp()
    try {
      const files = path.join(other.app.config.dataDir, 'files')
      await rename(files, `${files}-away`)
      expect(await said('ready', other)).toEqual([503, 'files', '2'])
    } finally {
      await other.close()
    }
  })

  test('that is about to end is not ready, answers calls and closes their connections', async () => {
    const other = await testApp({ url: database.url })
    other.app.drain()
    expect(await said('ready', other)).toEqual([503, 'stopping', '2'])
    expect(await said('health', other)).toEqual([503, 'down', '2'])
    const { statusCode, headers } = await other.app.inject('/api/public/site')
    expect([statusCode, headers.connection]).toEqual([200, 'close'])
    await other.close()
  })

  test('that only leads to another one tells of itself', async () => {
    const app = await buildApp({ ...readConfig({}), bladeApi: 'http://127.0.0.1:1', logLevel: 'silent' })
    const ask = async (what: string) => (await app.inject(`/api/public/${what}`)).statusCode
    expect([await ask('live'), await ask('ready')]).toEqual([200, 200])
    app.drain()
    expect([await ask('live'), await ask('ready')]).toEqual([200, 503])
    await app.close()
  })
})

describe('a listener', () => {
  test('answers before there is a server, and hands its calls over', async () => {
    const listener = await Listener.open({ host: '127.0.0.1', port: 0 })
    const { requestTimeout, headersTimeout, keepAliveTimeout } = listener.server
    expect([requestTimeout, headersTimeout, keepAliveTimeout]).toEqual([600_000, 60_000, 75_000])
    const ask = async (where: string) => {
      const answer = await fetch(`${listener.url}${where}`, { headers: { 'accept-language': 'en' } })
      return [answer.status, answer.headers.get('retry-after'), await answer.text()]
    }
    const body = { code: 503, success: false, data: { status: 'starting' } }
    const msg = 'The system is starting. Please try again in a moment'
    expect(await ask('/api/public/live?x=1')).toEqual([200, null, expect.stringContaining('"up"')])
    for (const call of ['/api/public/ready', '/api/public/health', '/api/blade-auth/oauth/token'])
      expect(await ask(call)).toEqual([503, '2', JSON.stringify({ ...body, msg })])
    expect(await ask('/exam')).toEqual([503, '2', msg])
    const app = Fastify({ serverFactory: () => listener.server })
    app.get('/api/public/ready', () => 'ready')
    await app.ready()
    expect((await ask('/api/public/ready'))[0]).toBe(503)
    listener.handOver(app)
    expect(await ask('/api/public/ready')).toEqual([200, null, 'ready'])
    await app.close()
    await listener.close()
    await expect(fetch(listener.url)).rejects.toThrow()
  })

  test('says that its address is taken', async () => {
    const first = await Listener.open({ host: 'localhost', port: 0 })
    const port = Number(new URL(first.url).port)
    await expect(Listener.open({ host: 'localhost', port })).rejects.toThrow(/EADDRINUSE/)
    await first.close()
    await (await Listener.open({ host: 'localhost', port })).close()
  })
})
