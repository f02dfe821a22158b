import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Milliseconds that the page waits for what is to stand in it; without it, the page asks by itself. */
const patience = 500

/** Where the page keeps what it is told: a block of data, which no browser runs. */
const place = /(?<=<script type="application\/json" id="site">)(?=<\/script>)/

/** JSON that can stand in a page: nothing in it ends the block. */
const written = (facts: unknown): string => JSON.stringify(facts).replaceAll('<', '\\u003c')

async function inTime(facts: () => Promise<unknown>, { log }: FastifyRequest): Promise<unknown> {
  try {
    return await Promise.race([facts(), setTimeout(patience, undefined, { ref: false })])
  } catch (error) {
    log.warn({ err: error }, 'the sign-in page goes out without what the site is like')
  }
}

/**
 * Sends the sign-in page with what it would ask first already in it: on a phone's line that is a round trip less.
 * @param file the page, read again each time: it may have been built again
 * @param facts what the site is like; when it fails or takes long the page goes out without
 */
export async function sendSignInPage(
  request: FastifyRequest,
  reply: FastifyReply,
  { file, facts }: { file: string; facts: () => Promise<unknown> },
): Promise<FastifyReply> {
  const [page, found] = await Promise.all([readFile(file, 'utf8'), inTime(facts, request)])
  const text = found === undefined ? page : page.replace(place, () => written(found))
  const etag = `W/"${createHash('sha1').update(text).digest('base64url')}"`
  reply.headers({ etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  if (request.headers['if-none-match'] === etag) return reply.code(304).send()
  return reply.type('text/html; charset=utf-8').send(text)
}
