/*
 * Loaded into a server under test by `NODE_OPTIONS=--import …/gauge.mjs`: answers by the channel between the processes how the
 * process is. Memory is asked for after a collection of garbage.
 */
import { createRequire } from 'node:module'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import v8 from 'node:v8'
import vm from 'node:vm'

v8.setFlagsFromString('--expose-gc')
const collect = vm.runInNewContext('gc')
const delay = monitorEventLoopDelay({ resolution: 20 })
delay.enable()

const answers = {
  /** Bytes in use after two collections, and milliseconds by which turns of the event loop were late since the last question. */
  state() {
    collect()
    collect()
    const { heapUsed, external, rss } = process.memoryUsage()
    const [mean, p99, max] = [delay.mean, delay.percentile(99), delay.max].map(nanoseconds => nanoseconds / 1e6)
    delay.reset()
    return { heapUsed, external, rss, mean, p99, max }
  },
  /** Node's own modules that have been loaded, and files of packages that are no ECMAScript modules. */
  loaded: () => [...process.moduleLoadList, ...Object.keys(createRequire(import.meta.url).cache)],
}

process.on('message', ({ id, question }) => process.send({ id, answer: answers[question]() }))
// A server ends in its own time, and not because nobody asks any more.
process.channel?.unref()
