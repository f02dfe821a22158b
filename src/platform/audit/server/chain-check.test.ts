import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { signIn } from '../../../../tests/helper/person.ts'
import type { HealthSign } from '../../../modules/desk/contract.ts'

let t: TestApp
let metrics: string
beforeAll(async () => {
  t = await testApp({ config: { metricsPort: 0 } })
  metrics = (await t.app.serveMetrics())!
  const request = { person: null, ip: '127.0.0.1', headers: {} } as never
  // More than are read at once.
  for (let n = 0; n < 1200; n++) await t.app.audit.note(request, { event: 'grant', outcome: 1, detail: { n } })
})
afterAll(() => t?.close())

const check = () => t.app.jobs.run('chain-check')
const kept = async () =>
  (await t.pool.query(`SELECT chain, count::int, fault FROM chain_check WHERE "tenantId" = '000000' ORDER BY chain`))
    .rows
const gauge = async () =>
  /^juxian_audit_chain_ok (\S+)$/m.exec(await fetch(metrics).then(answer => answer.text()))?.[1] ?? null

const signs = async (): Promise<Pick<HealthSign, 'code' | 'isBad' | 'text'>[]> => {
  const { headers } = await signIn(t, { role: 'administrator' })
  const { data } = await t.call<HealthSign[]>({ url: '/api/blade-desk/system/health', headers })
  return data.filter(({ code }) => code.startsWith('audit')).map(({ code, isBad, text }) => ({ code, isBad, text }))
}

test('nobody says that chains are whole which were never looked at', async () => {
  expect([await gauge(), await signs()]).toEqual([null, [{ code: 'audit-none', isBad: false, text: '' }]])
})

test('a look keeps for all processes that the chains are whole, and one that ends before keeps nothing', async () => {
  const gone = new AbortController()
  gone.abort(new Error('The server ends.'))
  await expect(t.app.jobs.get('chain-check')!.work(gone.signal)).rejects.toThrow('The server ends.')
  await expect(t.app.audit.verify('000000', gone.signal)).rejects.toThrow('The server ends.')
  expect(await kept()).toEqual([])
  expect(await check()).toBe(true)
  expect(await kept()).toMatchObject([
    { chain: 'auditlog', fault: null },
    { chain: 'examinelog', count: 0, fault: null },
  ])
  expect((await kept())[0].count).toBeGreaterThanOrEqual(1200)
  expect([await gauge(), await signs()]).toEqual(['1', [{ code: 'audit', isBad: false, text: '' }]])
})

test('a look that is long ago says nothing any more', async () => {
  await t.pool.query(`UPDATE chain_check SET time = time - interval '73 hours' WHERE chain = 'examinelog'`)
  expect([await gauge(), await signs()]).toEqual([null, [{ code: 'audit', isBad: true, text: '' }]])
})

test('a chain that was changed is told, with its tenant, in the gauge, in system health and in the logs', async () => {
  const noted = vi.spyOn(t.app.journal, 'note')
  await t.pool.query('ALTER TABLE auditlog DISABLE TRIGGER USER')
  await t.pool.query('UPDATE auditlog SET outcome = 2 WHERE seq = 1100')
  await check()
  expect(await kept()).toMatchObject([{ count: 1099, fault: 'entry 1100 was changed' }, { fault: null }])
  expect(await gauge()).toBe('0')
  const { rows } = await t.pool.query(`SELECT "tenantName" AS name FROM tenant WHERE "tenantId" = '000000'`)
  expect(await signs()).toEqual([{ code: 'audit-broken', isBad: true, text: rows[0].name }])
  const { headers } = await signIn(t, { role: 'administrator' })
  const { data } = await t.call<{ todo: { code: string; num: number }[] }>({
    url: '/api/blade-desk/home/staff',
    headers,
  })
  expect(data.todo.filter(({ code }) => code === 'chains')).toMatchObject([{ num: 1, opens: '/log/audit' }])
  expect(noted.mock.calls).toContainEqual(['error', 'chain-check', expect.objectContaining({ tenantId: '000000' })])
})
