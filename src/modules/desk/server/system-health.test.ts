import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import type { HealthSign } from '../contract.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
})
afterAll(() => t?.close())

const url = '/api/blade-desk/system/health'
const ask = async (who: Parameters<typeof signIn>[1] = { role: 'administrator' }) =>
  t.call<HealthSign[]>({ url, headers: (await signIn(t, who)).headers })
const codes = (signs: readonly HealthSign[]) => signs.map(({ code, isBad }) => (isBad ? `${code}!` : code))

test('a quiet installation says so', async () => {
  await t.pool.query('DELETE FROM work_item')
  const { status, data } = await ask()
  expect(status).toBe(200)
  expect(codes(data)).toEqual(
    expect.arrayContaining(['work-none', 'clock', 'primary', 'replica-none', 'backup-off', 'slot-none']),
  )
  expect(data.find(({ code }) => code === 'disk')?.num).toBeGreaterThan(0)
})

test('what somebody should see to is marked', async () => {
  await t.pool.query(
    `INSERT INTO work_item (kind, lane, state, "tenantId", priority, "runAt", tries, "maxTries", payload, "createTime", "updateTime")
     VALUES ('health.test', 'job', 1, '000000', 0, now() - interval '11 minutes', 0, 1, NULL, now(), now())`,
  )
  await t.pool.query(
    `INSERT INTO backup_run (kind, state, host, file, "isOwn", began, ended, bytes)
     VALUES ('physical', 'done', 'a', 'x.tar', true, now() - interval '40 hours', now() - interval '39 hours', 1)`,
  )
  await t.pool.query(
    `INSERT INTO backup_run (kind, state, host, file, "isOwn", began, ended, reason)
     VALUES ('physical', 'failed', 'a', 'y.tar', true, now() - interval '1 hours', now() - interval '1 hours', 'no space')`,
  )
  await t.pool.query(`SELECT pg_create_physical_replication_slot('health_test', true)`)
  try {
    const { data } = await ask()
    expect(codes(data)).toEqual(expect.arrayContaining(['work!', 'backup!', 'backup-failed!', 'slot-idle!']))
    expect(data.find(({ code }) => code === 'work')?.num).toBeGreaterThanOrEqual(660)
    expect(data.find(({ code }) => code === 'backup')?.num).toBe(39)
    expect(data.find(({ code }) => code === 'backup-failed')?.text).toBe('no space')
    expect(data.find(({ code, text }) => code === 'slot-idle' && text === 'health_test')).toBeDefined()
  } finally {
    await t.pool.query(`SELECT pg_drop_replication_slot('health_test')`)
  }
})

test('it is told to who keeps the installation, and to nobody else', async () => {
  expect((await ask({ role: 'admin' })).status).toBe(403)
  expect((await ask({ permissions: ['system_health'], tenantId: '000009' })).status).toBe(403)
})
