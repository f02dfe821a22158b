import fp from 'fastify-plugin'

/**
 * Lets the server end as soon as its last request is answered: while it closes, an answer also closes its connection, which
 * would otherwise be kept for the next request and hold the end up.
 */
export default fp(
  async app => {
    let closing = false
    app.addHook('preClose', async () => {
      closing = true
    })
    app.addHook('onSend', async (_request, reply) => {
      if (closing) reply.header('connection', 'close')
    })
  },
  { name: 'closing' },
)
