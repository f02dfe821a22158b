import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../helper/app.ts'
import { inTurns } from '../helper/in-turns.ts'
import { loginAs } from '../helper/login.ts'

// Two servers whose every transaction meets another session of the database than the one before: nothing that calls need is
// kept in a session. The long tests make every call and run whole files of tests this way.

let t: TestApp
let other: TestApp
beforeAll(async () => {
  t = await testApp({ now: '2026-06-01 08:00:00', pooled: true })
  other = await testApp({ now: '2026-06-01 08:00:00', pooled: true, url: t.url })
})
afterAll(async () => {
  await other?.close()
  await t?.close()
})

test('a transaction does not meet the session of the one before', async () => {
  const client = await t.app.pool.connect()
  const pid = async () => (await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid')).rows[0]?.pid
  const found: unknown[] = []
  // Others may have all sessions but one for a moment.
  for (let n = 0; n < 20; n++) found.push(await pid())
  client.release()
  expect(new Set(found).size).toBeGreaterThan(1)
})

test('people sign in, write by both at once and read what the other has written', async () => {
  const { headers } = await loginAs(t, 'administrator')
  const submit = (on: TestApp, n: number) =>
    on.call({
      method: 'POST',
      url: '/api/blade-system/param/submit',
      headers: { ...headers, 'idempotency-key': `pooled-${n}` },
      payload: { paramName: `p${n}`, paramKey: `pooled.${n}`, paramValue: String(n) },
    })
  const numbers = Array.from({ length: 60 }, (_, n) => n >> 1)
  const answers = await inTurns(12, numbers, (n, at) => submit(at % 2 ? t : other, n))
  // One who asks while the same is under way is told so.
  expect(answers.filter(({ code }) => code !== 200 && code !== 29006)).toEqual([])
  for (const on of [t, other]) {
    const { data } = await on.call<{ total: number }>({
      url: '/api/blade-system/param/page?paramKey=pooled.',
      headers,
    })
    expect(data.total).toBe(30)
  }
})
