import { execFile } from 'node:child_process'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { buildServer } from '../helper/process.ts'
import { testSecretKey } from '../helper/secret-key.ts'
import { soon } from '../helper/soon.ts'
import { startTwoHosts, type TwoHosts } from '../helper/two-hosts.ts'

const root = path.resolve(import.meta.dirname, '../..')

let hosts: TwoHosts
let servers: TestApp[] = []
beforeAll(async () => {
  buildServer()
  hosts = await startTwoHosts()
  const url = hosts.url(hosts.primary, hosts.standby)
  const config = { dataDir: hosts.dataDir }
  servers = [await testApp({ url, config }), await testApp({ url, config })]
})
afterAll(async () => {
  for (const one of servers) await one.close()
  await hosts?.close()
})

const versions = () => servers.map(({ app }) => /^v(\d+):/.exec(app.vault.seal('x'))?.[1])

/** What the program for keys says, as `npm run keys -- rotate` runs it. It waits a minute for servers that know no new key. */
async function rotate(): Promise<string> {
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: hosts.url(hosts.primary, hosts.standby),
    SECRET_KEY: testSecretKey,
    LOG_LEVEL: 'silent',
  }
  const { stdout } = await promisify(execFile)(process.execPath, ['dist/server/keys.js', 'rotate'], { cwd: root, env })
  return stdout
}

test('after the primary was killed and the standby promoted, all servers take a new key', async () => {
  const early = servers[0]!.app.vault.seal('早')
  expect(versions()).toEqual(['1', '1'])
  hosts.primary.kill()
  await hosts.standby.promote()
  // They follow the keys again: each holds the lock by which a rotation waits for it.
  await soon(async () => {
    const followers = await hosts.standby.query(
      `SELECT FROM pg_locks WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock'`,
    )
    expect(followers).toHaveLength(servers.length)
  })
  await rotate()
  expect(versions()).toEqual(['2', '2'])
  const late = servers[1]!.app.vault.seal('晚')
  for (const { app } of servers) expect([early, late].map(text => app.vault.open(text))).toEqual(['早', '晚'])
})
