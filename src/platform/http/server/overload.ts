import { monitorEventLoopDelay } from 'node:perf_hooks'
import fp from 'fastify-plugin'
import { unavailable } from './unavailable.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether more is asked of this process than it can do. */
    isOverloaded(): boolean
  }
  interface FastifyContextConfig {
    /** It is answered also when more is asked of the process than it can do. */
    essential?: true
  }
}

/** Calls that may wait for a connection, for each connection of the pool. */
const queue = 10
/** Milliseconds between two looks at how late the event loop was meanwhile. */
const pause = 1000

/**
 * Refuses calls at once when more is asked of the process than it can do: too many wait for the database, or turns of the event
 * loop are late. What waits is answered sooner that way, and others are told when to come again.
 */
export default fp(
  async app => {
    const delay = monitorEventLoopDelay({ resolution: 20 })
    let [wasLate, isLate] = [false, false]
    let timer: NodeJS.Timeout | undefined
    // The turns of a start are long; nobody waits for them.
    app.addHook('onReady', async () => {
      delay.enable()
      timer = setInterval(() => {
        const late = delay.max > app.config.turnTime * 1e6
        // A single turn that took long is over; what goes on is too much.
        isLate = late && wasLate
        wasLate = late
        delay.reset()
      }, pause).unref()
    })
    app.addHook('onClose', async () => {
      clearInterval(timer)
      delay.disable()
    })
    const most = queue * app.config.databasePool
    app.decorate('isOverloaded', () => isLate || app.pool.waitingCount > most)
    app.addHook('onRequest', async ({ url, routeOptions: { config } }) => {
      if (config.essential || config.withoutDatabase || !url.startsWith('/api/')) return
      if (!app.isOverloaded()) return
      app.meter.count('overload_refusals_total', {})
      throw unavailable('away')
    })
  },
  { name: 'overload', dependencies: ['database', 'envelope'] },
)
