import { setTimeout as sleep } from 'node:timers/promises'
import Fastify, { type FastifyInstance } from 'fastify'
import { beforeEach, expect, test } from 'vitest'
import behindAnswers from './behind-answers.ts'
import closing from './closing.ts'

let app: FastifyInstance
let ended: string[]
beforeEach(async () => {
  ended = []
  app = Fastify()
  await app.register(closing)
  await app.register(behindAnswers)
  app.addHook('onResponse', async () =>
    app.behindAnswers.begin(async () => {
      await sleep(50)
      // What is begun by such work is waited for, too.
      app.behindAnswers.begin(async () => {
        await sleep(50)
        ended.push('second')
      })
      ended.push('first')
    }),
  )
  app.get('/', async () => 'answered')
})

test('no call waits for work behind its answer; whoever asks does, for all of it', async () => {
  expect((await app.inject('/')).body).toBe('answered')
  expect(ended).toEqual([])
  await app.behindAnswers.done()
  expect(ended).toEqual(['first', 'second'])
  await app.close()
})

test('the server ends only after it, also where some of it fails', async () => {
  await app.inject('/')
  app.behindAnswers.begin(() => Promise.reject(new Error('lost')))
  await app.close()
  expect(ended).toEqual(['first', 'second'])
})
