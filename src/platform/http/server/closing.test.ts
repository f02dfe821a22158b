import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../../config/limits.ts'
import closing from './closing.ts'

let app: FastifyInstance
beforeEach(async () => {
  app = Fastify()
  await app.register(closing)
})

test('what listens for the end hears of it once, before anything closes', async () => {
  const heard: string[] = []
  app.onDrain(() => heard.push('drain'))
  app.addHook('onClose', async () => void heard.push('close'))
  app.drain()
  expect([heard, app.isDraining()]).toEqual([['drain'], true])
  await app.close()
  expect(heard).toEqual(['drain', 'close'])
})

test('the time that is left is counted from the order to end', () => {
  expect(app.timeToEnd()).toBe(limits.stop)
  app.drain(performance.now() - 10_000)
  app.drain()
  expect(app.timeToEnd()).toBeLessThanOrEqual(limits.stop - 10_000)
  expect(app.timeToEnd()).toBeGreaterThan(0)
})

test('no time is left when the order came long ago', () => {
  app.drain(performance.now() - limits.stop - 1)
  expect(app.timeToEnd()).toBe(0)
})

test('parts of the end are named from their beginning until they are done, whatever comes of them', async () => {
  let endCalls = (_answer: number) => {}
  const calls = app.finish('calls', new Promise<number>(done => (endCalls = done)))
  let failWork = (_error: Error) => {}
  const work = app.finish('work', new Promise<number>((_done, fail) => (failWork = fail)))
  expect(app.unfinished()).toEqual(['calls', 'work'])
  endCalls(7)
  expect(await calls).toBe(7)
  expect(app.unfinished()).toEqual(['work'])
  failWork(new Error('lost'))
  await expect(work).rejects.toThrow('lost')
  expect(app.unfinished()).toEqual([])
})
