import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'
import { boundsOf } from './jobs.ts'

let t: TestApp
let twin: TestApp

beforeAll(async () => {
  t = await testApp()
  twin = await testApp({ url: t.url })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

const every = (on: TestApp, name: string, work: () => Promise<unknown>) =>
  on.app.jobs.every({ name, title: name, seconds: 3600, work })

test('work told to run while it runs elsewhere does not run', async () => {
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  let isBegun = false
  const work = () => {
    isBegun = true
    return held
  }
  for (const one of [t, twin]) every(one, 'held', work)
  const first = t.app.jobs.run('held')
  await expect.poll(() => isBegun).toBe(true)
  expect(await twin.app.jobs.run('held')).toBe(false)
  release()
  expect(await first).toBe(true)
  expect(await twin.app.jobs.run('held')).toBe(true)
})

test('told to run by many at once, one does it', async () => {
  let [count, turnedAway] = [0, 0]
  const most = 10
  let end = () => {}
  const over = new Promise<void>(resolve => {
    end = resolve
  })
  // It goes on until everybody else was told that somebody does it.
  const step = () => count + turnedAway === most && end()
  const work = async () => {
    count += 1
    step()
    await over
  }
  for (const one of [t, twin]) every(one, 'once', work)
  const tell = (isDone: boolean) => {
    if (isDone) return
    turnedAway += 1
    step()
  }
  await Promise.all(Array.from({ length: most }, (_, i) => (i % 2 ? t : twin).app.jobs.run('once').then(tell)))
  expect([count, turnedAway]).toEqual([1, most - 1])
})

test('work whose process has died is done by another when its lease is over', async () => {
  let count = 0
  every(t, 'left', async () => count++)
  const lease = (until: string) =>
    t.pool.query(
      `INSERT INTO job_lock (name, holder, until) VALUES ('left', 'gone', now() + $1::interval)
       ON CONFLICT (name) DO UPDATE SET until = excluded.until`,
      [until],
    )
  await lease('5 seconds')
  expect([await t.app.jobs.run('left'), count]).toEqual([false, 0])
  await lease('-1 second')
  expect([await t.app.jobs.run('left'), count]).toEqual([true, 1])
})

test('work that fails says so when told to run, and can run again', async () => {
  let fail = true
  every(t, 'failing', async () => {
    if (fail) throw new Error('no')
  })
  await expect(t.app.jobs.run('failing')).rejects.toThrow('no')
  fail = false
  expect(await t.app.jobs.run('failing')).toBe(true)
  expect(() => every(t, 'failing', async () => {})).toThrow('two jobs')
  await expect(t.app.jobs.run('nothing')).rejects.toThrow('no job')
})

test('how far its times may lie apart', () => {
  expect([5, 60, 86_400].map(seconds => boundsOf({ seconds }))).toEqual([
    [1, 25],
    [12, 300],
    [17_280, 432_000],
  ])
  expect(boundsOf({ seconds: 60, within: [30, 90] })).toEqual([30, 90])
})
