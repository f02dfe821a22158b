import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { type Config, readConfig } from '../platform/config/config.ts'
import { limits } from '../platform/config/limits.ts'
import { nameRuntime } from './runtime-name.ts'

/** The start was given up because the order to end came before it was done. */
class CalledOff extends Error {
  override name = 'CalledOff'
}

async function main(): Promise<void> {
  const config = readConfig()
  const order = new AbortController()
  nameRuntime()
  const starting = import('./start.ts').then(({ start }) => start(config, order.signal))
  endOnSignal(starting, order, config)
  await starting
}

/**
 * Ends in order on the first signal: running requests, the pool, the embedded database; at once on a later one. After SIGTERM,
 * which a machine sends, those who hand out calls are told before the server stops listening; a person at a terminal does not wait.
 * An end that takes too long is forced, and says what it waited for.
 */
function endOnSignal(
  starting: Promise<FastifyInstance>,
  order: AbortController,
  { drainTime }: Pick<Config, 'drainTime'>,
): void {
  let since = 0
  let app: FastifyInstance | undefined
  starting.then(
    started => {
      app = started
    },
    () => {},
  )
  const stop = (signal: NodeJS.Signals) => {
    // A Ctrl-C may arrive twice, from the terminal and from npm; one that comes later is meant.
    if (since && performance.now() - since > 2000) process.exit(1)
    if (since) return
    since = performance.now()
    setTimeout(() => endByForce(app), limits.stop).unref()
    // Nobody was told that it is ready before it was.
    const pause = signal === 'SIGTERM' && app ? drainTime : 0
    order.abort(new CalledOff('The start was called off.'))
    starting.then(started => end(started, pause)).then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

async function end(app: FastifyInstance, pause: number): Promise<void> {
  await app.finish('those who hand out calls to hear of it', sleep(pause))
  await app.close()
}

/** Ends the process though something is under way, and says what. */
function endByForce(app: FastifyInstance | undefined): void {
  const parts = app ? app.unfinished() : ['its start']
  const awaited = parts.join('; ') || 'the rest of its end'
  console.error(
    `The server was ended by force ${limits.stop / 1000} seconds after the order; it waited for: ${awaited}.`,
  )
  process.exit(1)
}

function fail(error: Error): void {
  if (error instanceof CalledOff) process.exit(0)
  console.error(error.message)
  process.exit(1)
}

main().catch(fail)
