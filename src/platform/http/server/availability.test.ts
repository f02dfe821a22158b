import { rm, writeFile } from 'node:fs/promises'
import { type AddressInfo, connect } from 'node:net'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, type TestDatabase, testApp, testDatabase } from '../../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../../tests/helper/person.ts'
import { type Relay, relayTo } from '../../../../tests/helper/relay.ts'
import { limits } from '../../config/limits.ts'
import { refuse } from './refusal.ts'

let database: TestDatabase
let relay: Relay
let t: TestApp
let staff: Caller
const lines: string[] = []
/**
 * Milliseconds of an idle machine: until whoever calls is refused, until a probe is, until calls are answered again, and until
 * connections that are stuck are given up. One that does other work is given a multiple.
 */
const idle = { refused: 5000, ready: 2500, back: 1000, cut: 9000 }
const loaded = { refused: 2, ready: 3, back: 8, cut: 3 }
const most = (what: keyof typeof idle) => idle[what] * loaded[what]
/** Holds an answer of `/api/held` between being made small and being sent. */
let held = { arrived: () => {}, until: Promise.resolve() }
beforeAll(async () => {
  database = await testDatabase()
  relay = await relayTo(database.url)
  t = await testApp({
    url: relay.url,
    config: { readinessTime: limits.readiness, logTo: line => lines.push(line) },
    prepare: app => {
      const config = { access: 'public' } as const
      const onSend = async (_request: unknown, _reply: unknown, payload: unknown) => {
        held.arrived()
        await held.until
        return payload
      }
      app.get('/api/held', { config, onSend }, async () => ({ text: 'large '.repeat(2000) }))
      app.get('/api/file', { config }, async (_request, reply) => {
        reply.headers({ 'content-disposition': 'attachment; filename="a.zip"', 'content-length': 3, etag: '"1"' })
        reply.type('application/zip').header('content-encoding', 'gzip')
        throw refuse('row.notFound')
      })
      app.get('/api/full', { config }, () =>
        app.pool.query(`DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '53100'; END $$`),
      )
    },
  })
  staff = await signIn(t, { role: 'administrator' })
})
afterAll(async () => {
  relay?.thaw()
  await t?.close()
  await relay?.cut()
  await database?.drop()
})

const page = '/api/blade-desk/notice/page'
const ask = (language = 'zh-CN') =>
  t.app.inject({ url: page, headers: { ...staff.headers, 'accept-language': language } })
const health = () => t.app.inject('/api/public/health')

/** Asks until it is answered as wanted, for as long as that may take. */
async function until(status: number, call: () => Promise<{ statusCode: number }>): Promise<void> {
  for (let tries = 0; tries < 100 && (await call()).statusCode !== status; tries++) await sleep(100)
  expect((await call()).statusCode).toBe(status)
}

/** Asks for health until it is as wanted: an answer holds for two seconds. */
async function untilHealth(wanted: object) {
  for (let tries = 0; tries < 100; tries++) {
    const answer = (await health()).json()
    const found = JSON.stringify({ ...answer.data, ...wanted }) === JSON.stringify(answer.data)
    if (found) return answer
    await sleep(100)
  }
  return health().then(answer => expect(answer.json().data).toMatchObject(wanted))
}

const busy = { code: 503, success: false, data: {}, msg: '系统繁忙，请稍后再试' }

describe('a database that does not answer', () => {
  test('frozen, has everybody told before a connection is given up, and works again by itself', async () => {
    await until(200, ask)
    relay.freeze()
    const since = performance.now()
    const login = {
      method: 'POST',
      url: '/api/blade-auth/oauth/token?username=a&password=b&grant_type=password',
    } as const
    const probe = t.app.inject('/api/public/ready').then(({ statusCode }) => [statusCode, performance.now() - since])
    const answers = await Promise.all([ask(), health(), ask('en'), t.app.inject(login)])
    const waited = performance.now() - since
    expect(waited).toBeLessThan(most('refused'))
    const [status, probed] = await probe
    expect(status).toBe(503)
    expect(probed).toBeLessThan(most('ready'))
    expect(answers.map(one => [one.statusCode, one.headers['retry-after']])).toEqual(answers.map(() => [503, '2']))
    expect(answers[0].json()).toEqual(busy)
    expect(answers[1].json().data).toMatchObject({ status: 'down', database: 'away' })
    expect(answers[2].json().msg).toBe('The system is busy. Please try again in a moment')
    // Whoever comes later need not wait for the same.
    const later = performance.now()
    expect((await ask()).statusCode).toBe(503)
    expect(performance.now() - later).toBeLessThan(waited / 2)
    relay.thaw()
    const thawed = performance.now()
    await until(200, ask)
    expect(performance.now() - thawed).toBeLessThan(most('back'))
  })

  test('is told in a body of its own when an answer was on its way, too', async () => {
    await until(200, ask)
    let release = () => {}
    let arrived = () => {}
    const isHeld = new Promise<void>(resolve => {
      arrived = resolve
    })
    held = {
      arrived,
      until: new Promise(resolve => {
        release = resolve
      }),
    }
    const answer = t.app.inject({ url: '/api/held', headers: { 'accept-encoding': 'gzip' } })
    await isHeld
    relay.freeze()
    const { statusCode, headers, body } = await answer
    expect([statusCode, headers['content-encoding'], JSON.parse(body)]).toEqual([503, undefined, busy])
    release()
    relay.thaw()
    await until(200, ask)
  })

  const isGivenUp = () => lines.some(line => line.includes('its connections are given up'))

  test('frozen for long, has its connections given up, and calls are answered as soon as it goes on', {
    timeout: 90_000,
  }, async () => {
    await until(200, ask)
    lines.length = 0
    const stuck = t.pool.query('SELECT 1').then(() => t.pool.query('SELECT pg_sleep(1)'))
    await sleep(200)
    relay.freeze()
    const since = performance.now()
    // Long before its own time is over.
    await expect(stuck).rejects.toThrow('Connection terminated')
    expect(performance.now() - since).toBeLessThan(most('cut'))
    expect(isGivenUp()).toBe(true)
    expect((await ask()).statusCode).toBe(503)
    relay.thaw()
    const thawed = performance.now()
    await until(200, ask)
    expect(performance.now() - thawed).toBeLessThan(most('back'))
  })

  test('that is there again behind connections which nobody hears: they are given up, and new ones serve', {
    timeout: 90_000,
  }, async () => {
    await until(200, ask)
    lines.length = 0
    relay.strand()
    const since = performance.now()
    const { statusCode } = await ask()
    expect(statusCode).toBe(503)
    expect(performance.now() - since).toBeLessThan(most('cut'))
    expect(isGivenUp()).toBe(true)
    await until(200, ask)
  })

  test('gone, is told at once, and works again by itself', async () => {
    await until(200, ask)
    await relay.cut()
    const answer = await ask()
    expect([answer.statusCode, answer.headers['retry-after'], answer.json()]).toEqual([503, '2', busy])
    await relay.open()
    await until(200, ask)
  })
})

test('a refusal in the place of a file is described as what it is', async () => {
  const { statusCode, headers, body } = await t.app.inject('/api/file')
  expect([statusCode, headers['content-type']]).toEqual([404, 'application/json; charset=utf-8'])
  for (const name of ['content-disposition', 'content-encoding', 'etag'])
    expect([name, headers[name]]).toEqual([name, undefined])
  expect(Number(headers['content-length'])).toBe(Buffer.byteLength(body))
})

describe('health', () => {
  const name = () => new URL(relay.url).pathname.slice(1)

  test('tells a database that takes nothing', async () => {
    await untilHealth({ status: 'up' })
    await t.pool.query(`ALTER DATABASE ${name()} SET default_transaction_read_only = on`)
    const { msg } = await untilHealth({ status: 'down', database: 'read-only', disk: 'up' })
    expect(msg).toContain('维护')
    const client = await t.pool.connect()
    await client.query('SET default_transaction_read_only = off')
    await client.query(`ALTER DATABASE ${name()} RESET default_transaction_read_only`)
    client.release()
    await untilHealth({ status: 'up' })
  })

  test('tells a folder for data that takes nothing', async () => {
    const incoming = path.join(t.app.config.dataDir, 'incoming')
    await rm(incoming, { recursive: true, force: true })
    await writeFile(incoming, 'in the way')
    await untilHealth({ status: 'down', database: 'up', disk: 'read-only' })
    await rm(incoming)
    await untilHealth({ status: 'up' })
  })

  test('tells a database whose disk is full', async () => {
    const answer = await t.app.inject('/api/full')
    expect([answer.statusCode, answer.headers['retry-after'], answer.json().msg]).toEqual([
      503,
      '2',
      '存储空间不足，暂时不能保存，请联系管理员',
    ])
    await untilHealth({ status: 'down', database: 'full' })
    // Asked some seconds later, it shows that it has space.
    await untilHealth({ status: 'up' })
  })
})

describe('a body that does not come', () => {
  /** Sends a head and then a byte now and then; what is answered until the connection ends. */
  const dribble = (port: number, head: string) =>
    new Promise<string>(resolve => {
      let heard = ''
      let timer: NodeJS.Timeout | undefined
      const socket = connect(port, '127.0.0.1', () => {
        socket.write(head)
        timer = setInterval(() => socket.write('a'), 100)
      })
      socket.on('data', bytes => {
        heard += bytes
      })
      socket.on('error', () => {})
      socket.on('close', () => {
        clearInterval(timer)
        resolve(heard)
      })
    })

  test('ends its connection, whatever it is and whoever sends it', async () => {
    const second = await testApp({ url: database.url, config: { bodyTime: 500 } })
    await second.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = second.app.server.address() as AddressInfo
    const form = '--e\r\ncontent-disposition: form-data; name="file"; filename="a.xlsx"\r\n\r\n'
    const head = (url: string, type: string, more = '') =>
      `POST /api${url} HTTP/1.1\r\nhost: x\r\ncontent-type: ${type}\r\ncontent-length: 900000\r\n${more}\r\n`
    const token = `blade-auth: ${staff.headers['blade-auth']}\r\n`
    const login = head('/blade-auth/oauth/token', 'application/x-www-form-urlencoded')
    const upload = head('/blade-resource/attach/upload?owner=notice', 'multipart/form-data; boundary=e', token)
    const answers = await Promise.all([
      ...Array.from({ length: 20 }, () => dribble(port, login)),
      dribble(port, head('/blade-system/user/register', 'application/json')),
      dribble(port, upload + form),
    ])
    expect(answers.map(text => text.slice(0, 12))).toEqual(answers.map(() => 'HTTP/1.1 408'))
    expect(answers[0]).toContain('请求内容没有在规定时间内传完')
    const { requestTimeout, headersTimeout, keepAliveTimeout } = second.app.server
    expect([requestTimeout, headersTimeout, keepAliveTimeout]).toEqual([600_000, 60_000, 75_000])
    await second.close()
  })

  test('that is large and comes at a fair pace is taken', async () => {
    const second = await testApp({ url: database.url, config: { bodyTime: 300 } })
    await second.app.listen({ port: 0, host: '127.0.0.1' })
    const { port } = second.app.server.address() as AddressInfo
    const [pieces, piece] = [8, 'a'.repeat(64 * 1024)]
    const answer = await new Promise<string>(resolve => {
      const socket = connect(port, '127.0.0.1', async () => {
        socket.write('POST /api/blade-auth/oauth/token HTTP/1.1\r\nhost: x\r\n')
        socket.write('content-type: application/x-www-form-urlencoded\r\n')
        socket.write(`content-length: ${pieces * piece.length}\r\n\r\n`)
        for (let n = 0; n < pieces; n++) {
          socket.write(piece)
          await sleep(150)
        }
      })
      socket.once('data', bytes => {
        resolve(`${bytes}`.slice(0, 12))
        socket.destroy()
      })
    })
    // Taken whole, and refused for want of a client.
    expect(answer).toBe('HTTP/1.1 401')
    await second.close()
  })
})
