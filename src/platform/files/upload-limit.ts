import type { IncomingMessage } from 'node:http'
import type { FastifyReply } from 'fastify'
import fp from 'fastify-plugin'
import { sendRefusal } from '../http/server/envelope.ts'
import { refuse } from '../http/server/refusal.ts'
import { advice } from './file-advice.ts'

/** Largest request of all, in KB. */
const largest = 55 * 1024
/** What is still taken from a caller who has been answered: bytes that may still be under way, and milliseconds. */
const linger = { bytes: 8 * 1024 * 1024, time: 2000 }
/** Bytes a second in which a body must come, on the whole; a telephone at the edge of its network sends more. */
const pace = 8 * 1024
/** Milliseconds between two looks at how much has come. */
const pause = 10

/** Closes the connection of a caller from whom more bytes come, or for longer, than is allowed from now on. */
function hangUpAfter(raw: IncomingMessage, allowed: { bytes: number; time: number }, isOver = () => false): void {
  const { socket } = raw
  const [from, since] = [socket.bytesRead, performance.now()]
  const timer = setInterval(() => {
    if (raw.complete || socket.destroyed || isOver()) return clearInterval(timer)
    if (socket.bytesRead - from <= allowed.bytes && performance.now() - since <= allowed.time) return
    clearInterval(timer)
    socket.destroy()
  }, pause)
  timer.unref()
}

/**
 * Refuses a caller whose body comes too slowly or not at all: it would hold a connection for as long as it likes. The
 * connection is closed when what may still come after an answer is over.
 */
function hurry(raw: IncomingMessage, reply: FastifyReply, grace: number): void {
  const { socket } = raw
  const [from, since] = [socket.bytesRead, performance.now()]
  let timer = setTimeout(look, grace)
  timer.unref()
  raw.once('close', () => clearTimeout(timer))
  function look(): void {
    if (raw.complete || socket.destroyed || reply.sent) return
    const due = grace + ((socket.bytesRead - from) / pace) * 1000
    const late = performance.now() - since - due
    if (late < 0) {
      timer = setTimeout(look, -late + pause)
      timer.unref()
      return
    }
    // Not closed at once: bytes still on their way would have the answer thrown away unread.
    sendRefusal(reply, refuse('request.timedOut'))
  }
}

/**
 * Refuses requests that say they are too large before a byte is read, and reads none to the end that was refused. Closing the
 * connection at once would cost the caller the answer.
 */
export default fp(
  async app => {
    app.addHook('onRequest', async ({ headers, raw }, reply) => {
      if (Number(headers['content-length'] ?? 0) > largest * 1024)
        throw refuse('file.tooLarge', { n: largest, 做法: advice.size })
      if (headers['transfer-encoding'] && raw.complete === false)
        hangUpAfter(raw, { bytes: largest * 1024, time: Number.POSITIVE_INFINITY }, () => reply.sent)
      if (raw.complete === false) hurry(raw, reply, app.config.bodyTime)
    })
    app.addHook('onResponse', async ({ raw }) => {
      if (raw.complete === false) hangUpAfter(raw, linger)
    })
  },
  { name: 'upload limit', dependencies: ['envelope'] },
)
