import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import { limits } from '../../config/limits.ts'
import closing from './closing.ts'

let app: FastifyInstance
let order: AbortController
beforeEach(async () => {
  order = new AbortController()
  app = Fastify()
  await app.register(closing, { order: order.signal })
})

test('what listens for the end hears of it once, before anything closes', async () => {
  const heard: string[] = []
  app.ending.addEventListener('abort', () => heard.push('drain'))
  app.addHook('onClose', async () => void heard.push('close'))
  app.drain()
  expect([heard, app.isDraining()]).toEqual([['drain'], true])
  await app.close()
  expect(heard).toEqual(['drain', 'close'])
})

test('an order to end is heard at any time, also one that came before', async () => {
  const reason = new Error('told to end')
  order.abort(reason)
  const late = Fastify()
  await late.register(closing, { order: order.signal })
  for (const one of [app, late]) expect([one.isDraining(), one.ending.reason]).toEqual([true, reason])
})

test('the time that is left is counted from the order to end', async () => {
  expect(app.timeToEnd()).toBe(limits.stop)
  order.abort()
  await sleep(20)
  app.drain()
  expect(app.timeToEnd()).toBeLessThan(limits.stop - 10)
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
