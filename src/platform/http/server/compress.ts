import { pipeline, Readable, type Transform } from 'node:stream'
import { promisify } from 'node:util'
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from 'node:zlib'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'

const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }
const GZIP = { level: constants.Z_BEST_SPEED }
const [brotliWhole, gzipWhole] = [promisify(brotliCompress), promisify(gzip)]

/** One way to make an answer small. */
interface Way {
  readonly name: string
  whole(text: string): Promise<Buffer>
  stream(): Transform
}

/** The better way first: a third less on the line for a millisecond in 100 KiB. */
const ways: readonly Way[] = [
  { name: 'br', whole: text => brotliWhole(text, BROTLI), stream: () => createBrotliCompress(BROTLI) },
  { name: 'gzip', whole: text => gzipWhole(text, GZIP), stream: () => createGzip(GZIP) },
]

/** Names of the ways that a client takes; one with `q=0` it does not. */
const taken = (header: string): string[] =>
  header.split(',').flatMap(one => (/;\s*q=0(\.0*)?\s*$/.test(one) ? [] : [one.replace(/;.*/, '').trim()]))

/** Characters from which an answer is worth the work. */
const least = 2048

/** Whether compressing pays: a text by its length, a stream by its `content-length`; a stream that has none is taken as large. */
function isLarge(payload: unknown, reply: FastifyReply): payload is string | Readable {
  if (typeof payload === 'string') return payload.length >= least
  const length = Number(reply.getHeader('content-length') ?? Number.POSITIVE_INFINITY)
  return payload instanceof Readable && reply.statusCode === 200 && length >= least
}

/**
 * Compresses the larger answers for whoever takes that; files are compressed when they are built. What somebody learns of a
 * secret from lengths needs a browser that asks in the victim's name: our token travels in a header, which no foreign page can
 * make a browser send.
 */
export default fp(
  async app => {
    app.addHook('onSend', async (request, reply, payload) => {
      if (!isLarge(payload, reply)) return payload
      const names = taken(String(request.headers['accept-encoding'] ?? ''))
      const way = ways.find(one => names.includes(one.name))
      const isText = /\b(json|html)\b/.test(String(reply.getHeader('content-type') ?? ''))
      if (!way || !isText || reply.hasHeader('content-encoding')) return payload
      // Off the event loop, on the pool's threads. What has been refused meanwhile gets no label.
      const small = typeof payload === 'string' ? await way.whole(payload) : payload
      if (reply.sent) return small
      reply.removeHeader('content-length')
      reply.headers({ 'content-encoding': way.name, vary: 'accept-encoding' })
      if (small instanceof Buffer) return small
      // A failure of either side ends the other, and with it the connection.
      return pipeline(small, way.stream(), () => undefined)
    })
  },
  { name: 'compress' },
)
