import { promisify } from 'node:util'
import { constants, gzip } from 'node:zlib'
import fp from 'fastify-plugin'

const squeeze = promisify(gzip)

/** Characters from which an answer is worth the work. */
const least = 2048

/**
 * Compresses the larger answers of calls for whoever takes that; files and pages are compressed when they are built. What
 * somebody learns of a secret from lengths needs a browser that asks in the victim's name: our token travels in a header,
 * which no foreign page can make a browser send.
 */
export default fp(
  async app => {
    app.addHook('onSend', async (request, reply, payload) => {
      if (typeof payload !== 'string' || payload.length < least) return payload
      const takes = /\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))
      const isJson = /\bjson\b/.test(String(reply.getHeader('content-type') ?? ''))
      if (!takes || !isJson || reply.hasHeader('content-encoding')) return payload
      reply.removeHeader('content-length')
      reply.headers({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
      // Off the event loop, on the pool's threads.
      return squeeze(payload, { level: constants.Z_BEST_SPEED })
    })
  },
  { name: 'compress' },
)
