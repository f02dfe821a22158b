import type { FastifyInstance } from 'fastify'
import { readConfig } from '../platform/config/config.ts'
import { buildApp } from './app.ts'
import { listen } from './start.ts'

/** How long running requests may take after the order to stop, in milliseconds. */
const grace = 25_000

async function main(): Promise<void> {
  const config = readConfig()
  const building = buildApp(config)
  endOnSignal(building)
  await listen(await building, config)
}

/** Ends in order on the first signal: running requests, the pool, the embedded database; at once on a later one. */
function endOnSignal(building: Promise<FastifyInstance>): void {
  let since = 0
  const stop = () => {
    // A Ctrl-C may arrive twice, from the terminal and from npm; one that comes later is meant.
    if (since && performance.now() - since > 2000) process.exit(1)
    if (since) return
    since = performance.now()
    setTimeout(() => process.exit(1), grace).unref()
    building.then(app => app.close()).then(() => process.exit(0), fail)
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
}

function fail(error: Error): void {
  console.error(error.message)
  process.exit(1)
}

main().catch(fail)
