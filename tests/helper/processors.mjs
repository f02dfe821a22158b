/*
 * Loaded into a server under test by `NODE_OPTIONS=--import …/processors.mjs`: jobs can choose work that takes its time there and does
 * nothing else. What was done is seen in the lines and results of its runs.
 */
import { subscribe } from 'node:diagnostics_channel'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that work takes, as its parameters say. */
const time = params => Number(params ?? 0)

const step = {
  name: 'test-step',
  title: '一步',
  run: async ({ params, signal, log }) => {
    log('info', 'begun')
    await sleep(time(params), undefined, { signal })
    return 'done'
  },
  broadcast: async ({ params, node, signal }) => {
    await sleep(time(params), undefined, { signal })
    return node
  },
}

const parts = {
  name: 'test-parts',
  title: '分片',
  map: async () => Array.from({ length: 100 }, (_, at) => at),
  part: async ({ params, signal }, part) => {
    await sleep(time(params), undefined, { signal })
    return String(part)
  },
  reduce: async ({ log }, results) => {
    log('info', 'reduced')
    return `${results.length} parts, ${results.reduce((sum, one) => sum + Number(one), 0)}`
  },
}

subscribe('fastify.initialization', ({ fastify }) => {
  fastify.addHook('onReady', async () => {
    if (!fastify.processors) return
    for (const processor of [step, parts])
      if (!fastify.processors.get(processor.name)) fastify.processors.add(processor)
  })
})
