import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { type Caller, signIn } from '../../../tests/helper/person.ts'

let t: TestApp
let second: TestApp
let [one, other] = [] as unknown as [Caller, Caller]
const seen = { now: 0, most: 0 }

const prepare = (app: FastifyInstance) => {
  for (const work of ['import', 'print'] as const)
    app.get(`/api/${work}`, { config: { access: 'signed-in', work } }, async () => {
      seen.now++
      seen.most = Math.max(seen.most, seen.now)
      await sleep(30)
      seen.now--
      return { code: 200, success: true, data: {}, msg: '' }
    })
}

beforeAll(async () => {
  t = await testApp({ prepare })
  second = await testApp({ prepare, url: t.url })
  one = await signIn(t, { role: 'administrator' })
  other = await signIn(t, { role: 'administrator' })
})
beforeEach(async () => {
  Object.assign(seen, { now: 0, most: 0 })
  await t.pool.query('TRUNCATE work_place')
})
afterAll(async () => {
  await second?.close()
  await t?.close()
})

const ask = (server: TestApp, who: Caller, work: string) =>
  server.app.inject({ url: `/api/${work}`, headers: who.headers })
const both = (who: Caller, work: string, times: number) =>
  Array.from({ length: times }, (_, n) => ask(n % 2 ? t : second, who, work))

test.each([
  ['import', 1],
  ['print', 2],
])('of the work %s one person does %i at once, in all processes together; the others wait', async (work, most) => {
  const answers = await Promise.all(both(one, work, 12))
  expect(answers.map(answer => answer.statusCode)).toEqual(answers.map(() => 200))
  expect(seen.most).toBe(most)
  // Places are given up when an answer has gone out.
  const places = () => t.pool.query('SELECT FROM work_place').then(({ rowCount }) => rowCount)
  await expect.poll(places).toBe(0)
})

test('nobody waits for another person', async () => {
  await Promise.all([...both(one, 'print', 4), ...both(other, 'print', 4)])
  expect(seen.most).toBeGreaterThan(2)
})

test('the place of a process that has died is free when its time is over', async () => {
  const taken = `INSERT INTO work_place VALUES ('import', $1, 1, gen_random_uuid(), clock_timestamp() + $2::interval)`
  await t.pool.query(taken, [one.userId, '700 milliseconds'])
  const since = performance.now()
  expect((await ask(t, one, 'import')).statusCode).toBe(200)
  expect(performance.now() - since).toBeGreaterThan(500)
})
