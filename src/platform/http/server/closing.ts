import fp from 'fastify-plugin'

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * Says that the server is about to end: from now on it is not ready, and an answer also closes its connection. Calls are
     * answered all the same, until `close()`.
     */
    drain(): void
    /** Whether the server is about to end. */
    isDraining(): boolean
  }
}

/**
 * Lets the server end as soon as its last request is answered: while it is about to end, an answer also closes its connection,
 * which would otherwise be kept for the next request and hold the end up.
 */
export default fp(
  async app => {
    let isDraining = false
    app.decorate('drain', () => {
      isDraining = true
    })
    app.decorate('isDraining', () => isDraining)
    app.addHook('preClose', async () => app.drain())
    app.addHook('onSend', async (_request, reply) => {
      if (isDraining) reply.header('connection', 'close')
    })
  },
  { name: 'closing' },
)
