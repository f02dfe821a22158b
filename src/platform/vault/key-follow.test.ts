import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, type TestDatabase, testApp, testDatabase } from '../../../tests/helper/app.ts'
import { type Relay, relayTo } from '../../../tests/helper/relay.ts'
import { rotateKeys } from './key-rotation.ts'

// Two servers at a database without notifications, as some are that speak PostgreSQL's protocol.

let database: TestDatabase
let relay: Relay
let servers: TestApp[] = []
beforeAll(async () => {
  database = await testDatabase()
  relay = await relayTo(database.url, /^(LISTEN|NOTIFY)\b/)
  servers = [await testApp({ url: relay.url }), await testApp({ url: relay.url })]
})
afterAll(async () => {
  for (const one of servers) await one.close()
  await relay?.cut()
  await database?.drop()
})

const versions = () => servers.map(({ app }) => Number(/^v(\d+):/.exec(app.vault.seal('x'))?.[1]))
const [one, other] = [() => servers[0]!, () => servers[1]!]

test('servers whose database has no LISTEN take a new key', async () => {
  await expect(one().pool.query('LISTEN anything')).rejects.toMatchObject({ code: '0A000' })
  expect(versions()).toEqual([1, 1])
  await rotateKeys(one().app)
  expect(versions()).toEqual([2, 2])
  expect(one().app.vault.open(other().app.vault.seal('中'))).toBe('中')
})

test('and take it when their connections have broken and are back', async () => {
  await relay.cut()
  await relay.open()
  const isBack = () =>
    one()
      .pool.query('SELECT 1')
      .then(
        ({ rowCount }) => rowCount,
        () => 0,
      )
  await expect.poll(isBack).toBe(1)
  await rotateKeys(one().app)
  await expect.poll(versions).toEqual([3, 3])
})
