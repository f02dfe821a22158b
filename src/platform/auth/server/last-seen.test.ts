import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../../tests/helper/app.ts'
import { loginAs, type Session } from '../../../../tests/helper/login.ts'
import { listenToStatements } from '../../../../tests/helper/statements.ts'

const own = '/api/blade-auth/oauth/user-info'
const people = 10
const start = Date.now()

let t: TestApp
let second: TestApp
beforeAll(async () => {
  t = await testApp({ now: new Date(start) })
  second = await testApp({ url: t.url, now: new Date(start) })
})
afterAll(async () => {
  await second?.close()
  await t?.close()
})

const minute = (n: number): Date => new Date(start + n * 60_000)
const setNow = (time: Date) => {
  for (const one of [t, second]) one.setNow(time)
}

/** Everybody asks once in each of these minutes. */
async function ask(sessions: readonly Session[], minutes: readonly number[], at: TestApp = t): Promise<void> {
  for (const n of minutes) {
    setNow(minute(n))
    const answers = await Promise.all(sessions.map(({ headers }) => at.app.inject({ url: own, headers })))
    expect(answers.map(answer => answer.statusCode)).toEqual(sessions.map(() => 200))
  }
}

/** The times of the sessions of some people, in minutes after the start. */
async function seen(sessions: readonly Session[]): Promise<number[]> {
  const ids = sessions.map(({ body }) => body.user_id!)
  const rows = await t.db.selectFrom('session').select('lastSeen').where('userId', 'in', ids).execute()
  return [...new Set(rows.map(row => Math.round((row.lastSeen.getTime() - start) / 60_000)))]
}

test('candidates who ask every minute are written once in five minutes, all with one statement', async () => {
  const sessions = await Promise.all(Array.from({ length: people }, () => loginAs(t, 'candidate')))
  const statements = listenToStatements(t)
  try {
    await ask(sessions, [1, 2, 3, 4])
    await new Promise(resolve => setTimeout(resolve, 1100))
    expect(statements.count(/UPDATE session/)).toBe(0)
    await ask(sessions, [5])
    await expect.poll(() => seen(sessions)).toEqual([5])
    await ask(sessions, [6, 7, 8, 9])
    await new Promise(resolve => setTimeout(resolve, 1100))
    // Written for each of them every minute it would be ninety.
    expect(statements.count(/UPDATE session/)).toBe(1)
  } finally {
    statements.stop()
  }
})

test('staff are written every minute, before their request goes on', async () => {
  setNow(minute(0))
  const sessions = [await loginAs(t, 'reviewer')]
  const statements = listenToStatements(t)
  try {
    await ask(sessions, [1])
    expect(await seen(sessions)).toEqual([1])
    await ask(sessions, [1, 2, 3])
    expect(statements.count(/UPDATE session/)).toBe(3)
  } finally {
    statements.stop()
  }
})

test('two processes that write the same sessions lose none and go back in no time', async () => {
  setNow(minute(0))
  const sessions = await Promise.all(Array.from({ length: people }, () => loginAs(t, 'candidate')))
  setNow(minute(20))
  await Promise.all([t, second].map(one => ask(sessions, [20], one)))
  await ask(sessions, [21], second)
  await expect.poll(async () => (await seen(sessions)).every(n => n === 20 || n === 21)).toBe(true)
})

test('a server that ends writes what waits', async () => {
  setNow(minute(0))
  const sessions = [await loginAs(t, 'candidate')]
  const third = await testApp({ url: t.url, now: minute(6) })
  expect((await third.app.inject({ url: own, headers: sessions[0]!.headers })).statusCode).toBe(200)
  await third.close()
  expect(await seen(sessions)).toEqual([6])
})
