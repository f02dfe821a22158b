import { once } from 'node:events'
import http from 'node:http'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { limits } from '../../src/platform/config/limits.ts'
import { type TestApp, testApp } from '../helper/app.ts'
import { freePort } from '../helper/free-port.ts'
import { buildServer, launchServer, startServer } from '../helper/process.ts'
import { type Relay, relayTo } from '../helper/relay.ts'
import { soon } from '../helper/soon.ts'

let t: TestApp
beforeAll(async () => {
  buildServer()
  t = await testApp()
  // The demo's password is nobody's here: the processes are started for use.
  await t.pool.query(`UPDATE "user" SET password = NULL`)
})
afterAll(() => t?.close())

/** An address of one database by several ways. */
const byAll = (relays: readonly Relay[]): string => {
  const [first] = relays
  return first!.url.replace(new URL(first!.url).host, relays.map(({ url }) => new URL(url).host).join(','))
}

/** What a process says of itself; undefined while nothing listens. */
async function said(url: string, what: string) {
  const answer = await fetch(`${url}/api/public/${what}`).catch(() => undefined)
  if (!answer) return undefined
  const { data } = (await answer.json()) as { data: { status: string } }
  return { status: answer.status, word: data.status, again: answer.headers.get('retry-after') }
}

describe.each([
  ['the database', 1, /does not answer: .*ECONNREFUSED/],
  ['any host of the database', 2, /takes writes: .*ECONNREFUSED.*ECONNREFUSED/],
] as const)('a process that starts before %s', (_, ways, says) => {
  /** Launches one, and waits until it says what it waits for. */
  async function launch() {
    const relays: Relay[] = []
    for (let n = 0; n < ways; n++) relays.push(await relayTo(t.url))
    for (const relay of relays) await relay.cut()
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const server = launchServer({ DATABASE_URL: byAll(relays), PORT: String(port), DATA_DIR: t.app.config.dataDir })
    await soon(() => expect(server.output()).toMatch(says))
    return { url, server, relays }
  }

  test('lives, is not ready, says what it waits for, and is ready when that is there', async () => {
    const { url, server, relays } = await launch()
    try {
      expect(await said(url, 'live')).toMatchObject({ status: 200, word: 'up' })
      expect(await said(url, 'ready')).toEqual({ status: 503, word: 'starting', again: '2' })
      for (const relay of relays) await relay.open()
      await server.listening
      expect(await said(url, 'ready')).toMatchObject({ status: 200, word: 'ready' })
      expect(await server.stop()).toBe(0)
    } finally {
      server.child.kill('SIGKILL')
      for (const relay of relays) await relay.cut()
    }
  })

  test('ends in order when it is told to while it waits', async () => {
    const { server } = await launch()
    try {
      const since = performance.now()
      expect(await server.stop()).toBe(0)
      expect(performance.now() - since).toBeLessThan(limits.stop)
      expect(await server.listening.catch((error: Error) => error.message)).toContain('ended with 0')
    } finally {
      server.child.kill('SIGKILL')
    }
  })
})

test('from the order to stop on it is not ready, ends what runs, and resets no connection', async () => {
  // Long enough that a slow machine says before its end that it stops.
  const drain = 10
  const server = await startServer({ DATABASE_URL: t.url, DATA_DIR: t.app.config.dataDir, DRAIN_SECONDS: `${drain}` })
  const agent = new http.Agent({ keepAlive: true, maxSockets: 20 })
  const faults: string[] = []
  const call = (path: string) =>
    new Promise<number>(resolve => {
      const request = http.get(`${server.url}${path}`, { agent }, answer => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', error => resolve(faults.push(`${path} ${error.message}`)))
      })
      request.on('error', error => resolve(faults.push(`${path} ${error.message}`)))
    })
  /** Statuses of a client that calls until it is told to go elsewhere, as a proxy does for it. */
  let isElsewhere = false
  const client = async () => {
    const found = new Set<number>()
    while (!isElsewhere) {
      found.add(await call('/api/public/site'))
      await sleep(100)
    }
    return found
  }
  const clients = Promise.all(Array.from({ length: 10 }, client))
  try {
    await sleep(300)
    const since = performance.now()
    const ended = server.stop('SIGTERM')
    await soon(async () => expect(await said(server.url, 'ready')).toMatchObject({ status: 503, word: 'stopping' }))
    expect(await said(server.url, 'live')).toMatchObject({ status: 200 })
    await sleep(500)
    isElsewhere = true
    expect([...new Set((await clients).flatMap(found => [...found]))]).toEqual([200])
    // A call whose body ends after the listener has closed.
    const running = http.request(`${server.url}/api/blade-auth/oauth/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 2 },
    })
    const answered = once(running, 'response')
    running.write('{')
    await soon(async () => expect(await said(server.url, 'live')).toBeUndefined())
    running.end('}')
    const [answer] = (await answered) as [http.IncomingMessage]
    // Read to its end, and refused for want of a client.
    expect(answer.resume().statusCode).toBe(401)
    expect(await ended).toBe(0)
    const took = performance.now() - since
    expect(took).toBeGreaterThan(drain * 1000)
    expect(took).toBeLessThan(drain * 1000 + 60_000)
    expect(faults).toEqual([])
  } finally {
    isElsewhere = true
    server.child.kill('SIGKILL')
    agent.destroy()
  }
})

test('an end that takes too long is forced and says what it waited for', async () => {
  const server = await startServer({ DATABASE_URL: t.url, DATA_DIR: t.app.config.dataDir })
  // The head of a request that never ends.
  const { hostname, port } = new URL(server.url)
  const client = connect(Number(port), hostname)
  try {
    await new Promise<void>(done => client.write('GET / HTTP/1.1\r\n', () => done()))
    expect(await server.stop()).toBe(1)
    expect(server.output()).toMatch(/ended by force 25 seconds after the order; it waited for: calls under way\./)
  } finally {
    server.child.kill('SIGKILL')
    client.destroy()
  }
})
