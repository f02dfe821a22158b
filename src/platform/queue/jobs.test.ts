import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestApp, testApp } from '../../../tests/helper/app.ts'

let t: TestApp
let twin: TestApp

beforeAll(async () => {
  const prepare = (app: TestApp['app']) => app.jobs.every(1, 'both', () => runs.both())
  t = await testApp({ prepare, config: { jobs: true } })
  twin = await testApp({ prepare, config: { jobs: true }, url: t.url })
})
afterAll(async () => {
  await twin?.close()
  await t?.close()
})

let now = 0
let most = 0
let count = 0
const runs = {
  both: async () => {
    count++
    most = Math.max(most, ++now)
    await sleep(300)
    now--
  },
}

test('of two servers one does a job each time', async () => {
  count = 0
  await sleep(4200)
  expect(count).toBeGreaterThanOrEqual(3)
  expect(count).toBeLessThanOrEqual(5)
  expect(most).toBe(1)
})

test('a job told to run while it runs elsewhere does not run', async () => {
  let release = () => {}
  const held = new Promise<void>(done => {
    release = done
  })
  t.app.jobs.every(3600, 'held', () => held)
  twin.app.jobs.every(3600, 'held', () => held)
  const first = t.app.jobs.run('held')
  await sleep(100)
  expect(await twin.app.jobs.run('held')).toBe(false)
  release()
  expect(await first).toBe(true)
  expect(await twin.app.jobs.run('held')).toBe(true)
})

test('a job that fails says so when told to run, and can run again', async () => {
  let fail = true
  t.app.jobs.every(3600, 'failing', async () => {
    if (fail) throw new Error('no')
  })
  await expect(t.app.jobs.run('failing')).rejects.toThrow('no')
  fail = false
  expect(await t.app.jobs.run('failing')).toBe(true)
  expect(() => t.app.jobs.every(1, 'failing', async () => {})).toThrow('two jobs')
  await expect(t.app.jobs.run('nothing')).rejects.toThrow('no job')
})
