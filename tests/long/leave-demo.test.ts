import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { lockDemo } from '../../src/platform/accounts/server/leave-demo.ts'
import { refuseKnownPasswords, tellIgnoredPassword } from '../../src/platform/auth/server/known-passwords.ts'
import { demoPassword, readConfig } from '../../src/platform/config/config.ts'
import { hashPassword, passwordProblem } from '../../src/platform/vault/password.ts'
import { dataFolder, type TestApp, testApp, testDatabase } from '../helper/app.ts'
import { testSecretKey } from '../helper/cluster.ts'
import { askToken, makeUser } from '../helper/login.ts'
import { buildServer, startServer } from '../helper/process.ts'

const own = 'Shan7-Hai9-Guan'

describe('the demo', () => {
  test.each([
    { HOST: '0.0.0.0' },
    { HOST: '::' },
    { HOST: '192.168.1.20' },
    { PUBLIC_URL: 'https://exam.example.org' },
    { PUBLIC_URL: 'http://10.0.0.8:8000' },
  ])('that nobody asked for is not shown to others: %j', env => {
    const name = Object.keys(env)[0]!
    expect(() => readConfig(env)).toThrow(new RegExp(`${name}=.*DEMO=false.*DEMO=true`))
    expect(readConfig({ ...env, DEMO: 'true' }).demo).toBe(true)
    expect(readConfig({ ...env, DEMO: 'false' }).demo).toBe(false)
  })

  test.each([{ HOST: '127.0.0.1' }, { HOST: 'localhost' }, { HOST: '::1' }, { PUBLIC_URL: 'http://localhost:9000' }])(
    'is shown to this machine without a word: %j',
    env => expect(readConfig(env).demo).toBe(true),
  )
})

describe('outside the demo', () => {
  let t: TestApp
  let inUse: TestApp
  beforeAll(async () => {
    t = await testApp()
    inUse = await testApp({ url: t.url, config: { demo: false } })
  })
  afterAll(async () => {
    await inUse?.close()
    await t?.close()
  })
  beforeEach(() => t.db.deleteFrom('throttle').execute())

  test('no account opens with the password of the demo, also one that chose it itself', async () => {
    await makeUser(t, { role: 'reviewer', account: 'alone', password: await hashPassword(demoPassword) })
    expect((await askToken(t, 'alone', demoPassword)).status).toBe(200)
    expect(await askToken(inUse, 'alone', demoPassword)).toMatchObject({ status: 400, body: { code: 20002 } })
    expect(passwordProblem(demoPassword, 2)).toContain('过于常见')
    expect(passwordProblem(demoPassword, 1)).not.toBeNull()
  })

  test('the start is refused while accounts of the demo are left, and says which and what helps', async () => {
    for (const account of ['kaowu', 'ks00001', 'ks00002']) await makeUser(t, { role: 'candidate', account })
    await expect(refuseKnownPasswords(t.app)).resolves.toBeUndefined()
    const refused = refuseKnownPasswords(inUse.app)
    await expect(refused).rejects.toThrow(/admin.*kaowu/)
    await expect(refused).rejects.toThrow(/npm run leave-demo -- lock[\s\S]*npm run leave-demo -- clear --yes/)
  })

  test('an ADMIN_PASSWORD that does nothing is told', async () => {
    const told: string[] = []
    const tell = (line: string) => told.push(line)
    const withPassword = (adminPassword: string) => ({ db: t.db, config: { ...inUse.app.config, adminPassword } })
    await tellIgnoredPassword(withPassword(own), tell)
    expect(told).toEqual([expect.stringMatching(/ADMIN_PASSWORD is ignored.*npm run password -- admin/)])
    await tellIgnoredPassword(withPassword(demoPassword), tell)
    await tellIgnoredPassword(inUse.app, tell)
    expect(told).toHaveLength(1)
  })

  test('a lock disables the accounts of the demo, renews the administrator, and the start goes on', async () => {
    await makeUser(t, { role: 'reviewer', account: 'honest', password: await hashPassword(own) })
    const app = { ...inUse.app, config: { ...inUse.app.config, adminPassword: own } }
    const { disabled, administrator } = await lockDemo(app)
    expect(disabled).toBe(3)
    expect(administrator).toEqual({ password: own, mustChange: false })
    await expect(refuseKnownPasswords(inUse.app)).resolves.toBeUndefined()
    expect((await askToken(inUse, 'admin', own)).status).toBe(200)
    expect((await askToken(inUse, 'honest', own)).status).toBe(200)
    // In a demo again, the accounts stay closed.
    expect((await askToken(t, 'kaowu', demoPassword)).body.code).toBe(20002)
    const noted = await t.db.selectFrom('auditlog').select('detail').where('event', '=', 'password').execute()
    expect(noted).toEqual([{ detail: expect.objectContaining({ account: 'admin', by: 'program' }) }])
  })
})

/** Runs a program of the server as its npm script does. */
const run = (name: string, args: readonly string[], env: Record<string, string>) =>
  new Promise<{ code: number; output: string }>(resolve => {
    const options = { cwd: path.resolve(import.meta.dirname, '../..'), env: { PATH: process.env.PATH, ...env } }
    execFile(process.execPath, [`dist/server/${name}.js`, ...args], options, (error, stdout, stderr) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout + stderr }),
    )
  })

test('a data folder that began as a demo starts for use after one command, and a lost password is renewed by another', async () => {
  buildServer()
  const database = await testDatabase()
  const DATA_DIR = dataFolder(database.url)
  const env = { DATABASE_URL: database.url, DATA_DIR, SECRET_KEY: testSecretKey, DEMO: 'false' }
  try {
    await expect(startServer(env)).rejects.toThrow(/npm run leave-demo -- lock/)
    expect(await run('leave-demo', ['clear', '--yes'], env)).toMatchObject({ code: 0 })
    const server = await startServer({ ...env, ADMIN_PASSWORD: own })
    const [again, renewed] = await Promise.all([
      run('leave-demo', ['clear', '--yes'], env),
      run('password', ['admin'], env),
    ])
    await server.stop()
    expect(server.output()).not.toContain('ADMIN_PASSWORD is ignored')
    expect(again).toMatchObject({ code: 1, output: expect.stringContaining('没有演示数据') })
    expect(renewed).toMatchObject({ code: 0, output: expect.stringMatching(/admin 的新密码：\S{14}（/) })
  } finally {
    await database.drop()
  }
})
