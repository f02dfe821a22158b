import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from '../platform/config/config.ts'
import { limits } from '../platform/config/limits.ts'
import { start } from './start.ts'

async function main(): Promise<void> {
  const config = readConfig()
  const starting = start(config)
  endOnSignal(starting, config)
  await starting
}

/**
 * Ends in order on the first signal: running requests, the pool, the embedded database; at once on a later one. After SIGTERM,
 * which a machine sends, those who hand out calls are told before the server stops listening; a person at a terminal does not wait.
 */
function endOnSignal(starting: Promise<FastifyInstance>, { drainTime }: Pick<Config, 'drainTime'>): void {
  let since = 0
  let isUp = false
  starting.then(
    () => {
      isUp = true
    },
    () => {},
  )
  const stop = (signal: NodeJS.Signals) => {
    // A Ctrl-C may arrive twice, from the terminal and from npm; one that comes later is meant.
    if (since && performance.now() - since > 2000) process.exit(1)
    if (since) return
    since = performance.now()
    setTimeout(() => process.exit(1), limits.stop).unref()
    // Nobody was told that it is ready before it was.
    const pause = signal === 'SIGTERM' && isUp ? drainTime : 0
    starting.then(app => end(app, pause)).then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

async function end(app: FastifyInstance, pause: number): Promise<void> {
  app.drain()
  await sleep(pause)
  await app.close()
}

function fail(error: Error): void {
  console.error(error.message)
  process.exit(1)
}

main().catch(fail)
