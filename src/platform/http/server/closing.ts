import fp from 'fastify-plugin'
import { limits } from '../../config/limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Says that the server is about to end: from now on it is not ready, and an answer also closes its connection. Calls are
     * answered all the same, until `close()`.
     * @param since when the order to end came, by `performance.now()`
     */
    drain(since?: number): void
    /** Whether the server is about to end. */
    isDraining(): boolean
    /** Has something done as soon as the server is about to end, while calls are still answered. */
    onDrain(work: () => void): void
    /** Milliseconds until the process ends, whatever is under way; all of them while the server is not about to end. */
    timeToEnd(): number
    /**
     * Notes a part of the end for as long as it takes.
     * @param what read by people who ask what the end waits for
     * @returns what the work answers
     */
    finish<T>(what: string, work: Promise<T>): Promise<T>
    /** The parts of the end that have begun and are not done. */
    unfinished(): string[]
  }
}

/**
 * Lets the server end as soon as its last request is answered: while it is about to end, an answer also closes its connection,
 * which would otherwise be kept for the next request and hold the end up. Knows which parts of the end are not done.
 */
export default fp(
  async app => {
    let drainingSince: number | undefined
    const listeners: (() => void)[] = []
    const parts = new Set<{ what: string }>()
    app.decorate('drain', (since = performance.now()) => {
      if (drainingSince !== undefined) return
      drainingSince = since
      for (const listener of listeners) listener()
    })
    app.decorate('isDraining', () => drainingSince !== undefined)
    app.decorate('onDrain', (work: () => void) => void listeners.push(work))
    app.decorate('timeToEnd', () => {
      const now = performance.now()
      return Math.max(0, limits.stop - (now - (drainingSince ?? now)))
    })
    app.decorate('finish', <T>(what: string, work: Promise<T>): Promise<T> => {
      const part = { what }
      parts.add(part)
      return work.finally(() => parts.delete(part))
    })
    app.decorate('unfinished', () => [...parts].map(({ what }) => what))
    app.addHook('preClose', async () => app.drain())
    app.addHook('onSend', async (_request, reply) => {
      if (drainingSince !== undefined) reply.header('connection', 'close')
    })
  },
  { name: 'closing' },
)
