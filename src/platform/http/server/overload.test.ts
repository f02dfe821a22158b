import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { encrypt, makeUser, password, webClient } from '../../../../tests/helper/login.ts'
import { limits } from '../../config/limits.ts'

let t: TestApp
beforeAll(async () => {
  t = await testApp({
    config: { databasePool: 2, connectionTime: limits.connection, turnTime: 100, captchaMode: false },
    prepare: app => {
      const config = { access: 'public' } as const
      app.get('/api/slow', { config }, async () => {
        await app.pool.query('SELECT pg_sleep(0.1)')
        return { done: true }
      })
      app.get('/api/late', { config }, async () => {
        for (let n = 0; n < 8; n++) {
          const until = performance.now() + 500
          while (performance.now() < until);
          await sleep(1)
        }
        return { done: true }
      })
    },
  })
  await t.app.listen({ port: 0, host: '127.0.0.1' })
})
afterAll(() => t?.close())

const address = () => t.app.listeningOrigin

test('of 200 calls at once on two connections some are done, the others told when to come again, and none fails', async () => {
  const call = async () => {
    const answer = await fetch(`${address()}/api/slow`)
    return { status: answer.status, again: answer.headers.get('retry-after'), body: await answer.json() }
  }
  const answers = await Promise.all(Array.from({ length: 200 }, call))
  const done = answers.filter(({ status }) => status === 200)
  const refused = answers.filter(({ status }) => status !== 200)
  expect(new Set(refused.map(({ status, again, body }) => `${status} ${again} ${body.code}`))).toEqual(
    new Set(['503 2 503']),
  )
  expect(done.length).toBeGreaterThan(10)
  expect(refused.length).toBeGreaterThan(100)
  // Turns of the event loop may still be late.
  await vi.waitFor(async () => expect((await call()).status).toBe(200), { timeout: 60_000 })
})

test('while the database has more to do than it can, staff sign in, candidates come again, and the process says that it lives', async () => {
  await makeUser(t, { role: 'exam_admin', account: 'helper' })
  await makeUser(t, { role: 'candidate', account: 'taker' })
  const enter = (username: string) => {
    const query = { grant_type: 'password', username, password: encrypt(t, password) }
    return t.call({ method: 'POST', url: '/api/blade-auth/oauth/token', headers: { authorization: webClient }, query })
  }
  let isOn = true
  const load = Array.from({ length: 30 }, async () => {
    while (isOn) await t.app.pool.query('SELECT pg_sleep(0.005)')
  })
  expect(t.app.isOverloaded()).toBe(true)
  const answers = await Promise.all([
    t.call('/api/public/live'),
    t.call('/api/public/ready'),
    t.call('/api/public/site'),
    t.call('/api/blade-auth/oauth/public-key'),
    enter('helper'),
    enter('taker'),
  ])
  isOn = false
  await Promise.all(load)
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 503, 200, 200, 503])
  expect((await enter('taker')).status).toBe(200)
})

test('while turns of the event loop are late, calls are refused', async () => {
  await t.call('/api/late')
  await vi.waitFor(async () => expect((await t.call('/api/public/site')).status).toBe(503), {
    timeout: 60_000,
    interval: 5,
  })
  await vi.waitFor(async () => expect((await t.call('/api/public/site')).status).toBe(200), { timeout: 60_000 })
})
