import fp from 'fastify-plugin'
import { limits } from '../../config/limits.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Says that the server is about to end: from now on it is not ready, and an answer also closes its connection. Calls are
     * answered all the same, until `close()`.
     */
    drain(): void
    /** Whether the server is about to end. */
    isDraining(): boolean
    /** Aborted as soon as the server is about to end, also while it is being built. Its reason says so. */
    ending: AbortSignal
    /** Milliseconds until the process ends, whatever is under way; all of them while the server is not about to end. */
    timeToEnd(): number
    /**
     * Notes a part of the end for as long as it takes.
     * @param what read by people who ask what the end waits for
     * @param details what of it is not done, asked when somebody reads it
     * @returns what the work answers
     */
    finish<T>(what: string, work: Promise<T>, details?: () => string[]): Promise<T>
    /** The parts of the end that have begun and are not done. */
    unfinished(): string[]
  }
}

/** How the end begins. */
export interface ClosingOptions {
  /** The order to end, which may come before the server is built. */
  order?: AbortSignal | undefined
}

/**
 * Lets the server end as soon as its last request is answered: while it is about to end, an answer also closes its connection,
 * which would otherwise be kept for the next request and hold the end up. Knows which parts of the end are not done.
 */
export default fp<ClosingOptions>(
  async (app, { order }) => {
    const ending = new AbortController()
    let since = 0
    const parts = new Set<{ what: string; details: () => string[] }>()
    const drain = () => {
      if (ending.signal.aborted) return
      since = performance.now()
      ending.abort(order?.reason ?? new Error('The server is about to end.'))
    }
    app.decorate('drain', drain)
    app.decorate('isDraining', () => ending.signal.aborted)
    app.decorate('ending', ending.signal)
    app.decorate('timeToEnd', () => {
      const spent = ending.signal.aborted ? performance.now() - since : 0
      return Math.max(0, limits.stop - spent)
    })
    app.decorate('finish', <T>(what: string, work: Promise<T>, details: () => string[] = () => []): Promise<T> => {
      const part = { what, details }
      parts.add(part)
      return work.finally(() => parts.delete(part))
    })
    app.decorate('unfinished', () =>
      [...parts].map(({ what, details }) => [what, details().join(', ')].filter(Boolean).join(': ')),
    )
    if (order?.aborted) drain()
    order?.addEventListener('abort', drain)
    app.addHook('preClose', async () => drain())
    app.addHook('onSend', async (_request, reply) => {
      if (ending.signal.aborted) reply.header('connection', 'close')
    })
  },
  { name: 'closing' },
)
