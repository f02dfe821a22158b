import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type TestDatabase, testDatabase } from '../../../tests/helper/app.ts'
import { testLossOfPrimary } from '../../../tests/helper/lost-primary.ts'
import { type Relay, relayTo } from '../../../tests/helper/relay.ts'
import { soon } from '../../../tests/helper/soon.ts'
import { hostsOf, isDatabaseAddress } from './address.ts'
import { openPool } from './database.ts'
import { connectionTo } from './hosts.ts'

describe('an address', () => {
  test.each([
    ['postgresql://a/x', undefined],
    [
      'postgresql://me:p%40ss@a:1,b/x?sslmode=require',
      ['postgresql://me:p%40ss@a:1/x?sslmode=require', 'postgresql://me:p%40ss@b:5432/x?sslmode=require'],
    ],
    ['postgres://[::1]:7,10.0.0.5:8/x', ['postgres://[::1]:7/x', 'postgres://10.0.0.5:8/x']],
    ['postgresql://u@localhost/x?host=/a,b', undefined],
  ])('%s', (url, each) => {
    const named = hostsOf(url)
    expect(named?.hosts.map(named.at)).toEqual(each)
    expect(isDatabaseAddress(url)).toBe(true)
  })

  test.each(['postgresql://a:1,:2/x', 'postgresql://a:x,b:2/x', 'postgresql://a,,b/x'])('that is none: %s', url => {
    expect(isDatabaseAddress(url)).toBe(false)
  })
})

describe('one host', () => {
  let database: TestDatabase
  let relay: Relay
  beforeAll(async () => {
    database = await testDatabase()
    relay = await relayTo(database.url)
  })
  afterAll(async () => {
    await relay?.cut()
    await database?.drop()
  })

  test('that is there is not waited for', async () => {
    const tell = vi.fn()
    await connectionTo(relay.url).ready({ tell })
    expect(tell).not.toHaveBeenCalled()
  })

  test('that is not there yet is waited for, and told of', async () => {
    await relay.cut()
    const told: string[] = []
    const ready = connectionTo(relay.url).ready({ tell: sentence => told.push(sentence) })
    await soon(() => expect(told).toHaveLength(1))
    expect(told[0]).toBe(`The database does not answer: ${new URL(relay.url).host} (ECONNREFUSED).`)
    await relay.open()
    await ready
  })

  test('is waited for until that is called off', async () => {
    await relay.cut()
    const order = new AbortController()
    const waiting = { tell: () => order.abort(new Error('called off')), signal: order.signal }
    await expect(connectionTo(relay.url).ready(waiting)).rejects.toThrow('called off')
    await expect(connectionTo(relay.url).ready(waiting)).rejects.toThrow('called off')
    await relay.open()
  })

  test('is not waited for where that mends nothing', async () => {
    const tell = vi.fn()
    const other = new URL(relay.url)
    other.pathname = '/nowhere'
    await expect(connectionTo(other.href).ready({ tell })).rejects.toMatchObject({ code: '3D000' })
    expect(tell).not.toHaveBeenCalled()
  })
})

test('several hosts, of which the primary is there again behind connections which nobody hears: they are given up', async () => {
  const database = await testDatabase()
  const [relay, other] = [await relayTo(database.url), await relayTo(database.url)]
  await other.cut()
  const [tell, moved] = [vi.fn(), vi.fn()]
  const url = new URL(relay.url)
  const connecting = connectionTo(relay.url.replace(url.host, `${new URL(other.url).host},${url.host}`))
  const pool = openPool(connecting.options)
  try {
    await connecting.ready({ tell, answerTime: 500 }, moved)
    await pool.query('SELECT 1')
    relay.strand()
    // Long before the time of the statement is over.
    await expect(pool.query('SELECT 1')).rejects.toThrow('Connection terminated')
    expect(tell).toHaveBeenCalledWith('The database has not answered 3 times: its connections are given up.')
    await pool.query('SELECT 1')
    expect(moved).not.toHaveBeenCalled()
  } finally {
    connecting.end()
    relay.thaw()
    await pool.end()
    await relay.cut()
    await database.drop()
  }
})

// Other ways to lose it take longer and are tested with what takes long.
testLossOfPrimary([['is killed', hosts => hosts.primary.kill()]])
