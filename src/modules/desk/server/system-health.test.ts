import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import tls from 'node:tls'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { certificate } from '../../../../tests/helper/certificate.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import type { HealthSign } from '../contract.ts'
import { endOfCertificate } from './certificates.ts'

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

describe('certificates', () => {
  const days = Math.floor((certificate.ends.getTime() - Date.now()) / 86_400_000)
  let server: tls.Server
  let site: URL
  beforeAll(async () => {
    server = tls.createServer(certificate, socket => socket.on('error', () => {}))
    server.on('tlsClientError', () => {})
    await once(server.listen(0, '127.0.0.1'), 'listening')
    site = new URL(`https://127.0.0.1:${(server.address() as AddressInfo).port}`)
  })
  afterAll(() => server?.close())

  test('that of the address by which everybody comes and those of merchants, in days', async () => {
    await t.pool.query(
      `INSERT INTO pay (channel, "payName", enable, certificate) VALUES (2, '微信', 1, $1), (2, '已停用', 0, $1)`,
      [certificate.cert],
    )
    const secure = await testApp({ url: t.url, config: { publicUrl: site.href } })
    try {
      const { headers } = await signIn(secure, { role: 'administrator' })
      const told = async () => {
        const { data } = await secure.call<HealthSign[]>({ url, headers })
        return data.filter(({ code }) => /^(certificate|merchant)/.test(code))
      }
      expect(await told()).toEqual([
        { code: 'certificate', isBad: false, num: days, text: site.host },
        { code: 'merchant', isBad: false, num: days, text: '微信' },
      ])
      secure.setNow(new Date(certificate.ends.getTime() - 13.5 * 86_400_000))
      const later = await secure.app.inject({ url, headers: (await signIn(secure, { role: 'administrator' })).headers })
      const signs = (later.json().data as HealthSign[]).filter(({ code }) => /^(certificate|merchant)/.test(code))
      expect(signs.map(({ isBad, num }) => [isBad, num])).toEqual([
        [true, 13],
        [true, 13],
      ])
    } finally {
      await secure.close()
    }
  })

  test('that cannot be read is waited for no longer than a moment, and none is asked for without https', async () => {
    const silent = createServer(socket => socket.on('error', () => {}))
    await once(silent.listen(0, '127.0.0.1'), 'listening')
    const { port } = silent.address() as AddressInfo
    expect(await endOfCertificate(new URL(`https://127.0.0.1:${port}`), 200)).toBeNull()
    silent.close()
    expect(await endOfCertificate(new URL(`https://127.0.0.1:${port}`), 200)).toBeNull()
    expect(await endOfCertificate(site)).toEqual(certificate.ends)
    expect(codes((await ask()).data)).toContain('certificate-none')
  })
})

test('it is told to who keeps the installation, and to nobody else', async () => {
  expect((await ask({ role: 'admin' })).status).toBe(403)
  expect((await ask({ permissions: ['system_health'], tenantId: '000009' })).status).toBe(403)
})
