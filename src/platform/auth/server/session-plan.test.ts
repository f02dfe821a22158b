import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, makeUser } from '../../../../tests/helper/login.ts'
import { listenToStatements } from '../../../../tests/helper/statements.ts'
import { tokenHash } from '../rules/session.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp()
  // As on the first day of an installation: nothing is known of the tables yet.
  for (const table of ['"user"', 'session', 'session_token', 'tenant'])
    await t.pool.query(`ALTER TABLE ${table} SET (autovacuum_enabled = false)`)
})
afterAll(() => t.close())

interface Plan {
  'Node Type': string
  'Relation Name'?: string
  'Actual Rows': number
  'Actual Loops': number
  Plans?: Plan[]
}
const readOf = (plan: Plan): number =>
  (plan['Relation Name'] ? plan['Actual Rows'] * plan['Actual Loops'] : 0) +
  (plan.Plans ?? []).reduce((sum, one) => sum + readOf(one), 0)

test('a request finds its person by keys, however many have signed in since the tables were looked at', async () => {
  const session = await loginAs(t, 'candidate')
  const { headers } = session
  const sent = listenToStatements(t)
  expect((await t.app.inject({ url: '/api/blade-auth/oauth/user-info', headers })).statusCode).toBe(200)
  sent.stop()
  const statement = sent.texts.find(text => text.includes('session_token'))
  await makeUser(t, { role: 'candidate', account: 'crowd' })
  const { rows: columns } = await t.pool.query<{ name: string }>(
    `SELECT quote_ident(column_name) AS name FROM information_schema.columns WHERE table_name = 'user' AND is_generated = 'NEVER'`,
  )
  const own = ['id', 'account', '"phoneHash"', '"idCardHash"', 'code']
  const copied = columns.map(({ name }) => name).filter(name => !own.includes(name))
  await t.pool.query(`
    INSERT INTO "user" (account, ${copied}) SELECT 'crowd.' || n, ${copied} FROM "user", generate_series(1, 300) n WHERE account = 'crowd'`)
  await t.pool.query(`
    WITH opened AS (INSERT INTO session ("userId", "tenantId", "clientId", "createTime", "lastSeen", "mustEnrol")
      SELECT id, "tenantId", 'juxian-web', now(), now(), false FROM "user" WHERE account LIKE 'crowd.%' RETURNING id)
    INSERT INTO session_token (hash, kind, until, "sessionId")
      SELECT md5(id::text) || md5(kind::text), kind, now() + interval '1 hour', id FROM opened, generate_series(1, 2) kind`)
  const values = [[tokenHash(session.body.access_token!)], t.app.now()]
  const { rows } = await t.pool.query(`EXPLAIN (ANALYZE, FORMAT JSON) ${statement}`, values)
  const [{ Plan: plan }] = rows[0]['QUERY PLAN'] as [{ Plan: Plan }]
  // One row each of token, session, account, tenant and stamp.
  expect(readOf(plan), JSON.stringify(plan, null, 1)).toBe(5)
})
