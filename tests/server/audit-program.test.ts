import { execFile } from 'node:child_process'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { testSecretKey } from '../helper/cluster.ts'
import { buildServer } from '../helper/process.ts'

const root = path.resolve(import.meta.dirname, '../..')
let t: TestApp

beforeAll(async () => {
  buildServer()
  t = await testApp()
  const request = { person: null, ip: '127.0.0.1', headers: {} } as never
  for (let i = 0; i < 3; i++) await t.app.audit.note(request, { event: 'grant', outcome: 1, detail: { i } })
})
afterAll(() => t?.close())

/** Runs the program as `npm run audit` does. */
const run = () =>
  new Promise<{ code: number; output: string }>(resolve => {
    const env = { PATH: process.env.PATH, DATABASE_URL: t.url, SECRET_KEY: testSecretKey, LOG_LEVEL: 'silent' }
    execFile(process.execPath, ['dist/server/audit.js'], { cwd: root, env }, (error, stdout) =>
      resolve({ code: error ? Number(error.code) : 0, output: stdout }),
    )
  })

test('says that the log is whole, and ends with 1 when it is not', async () => {
  const whole = await run()
  expect(whole).toMatchObject({ code: 0, output: expect.stringMatching(/审计日志3条，完整，末条摘要 [0-9a-f]{64}/) })
  await t.pool.query('ALTER TABLE auditlog DISABLE TRIGGER USER')
  await t.pool.query('UPDATE auditlog SET outcome = 2 WHERE seq = 2')
  const broken = await run()
  expect(broken).toMatchObject({ code: 1, output: expect.stringContaining('从第2条起') })
  expect(broken.output).toContain('审核记录0条，完整')
})
