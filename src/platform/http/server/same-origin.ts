import type { FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import { refuse } from './refusal.ts'

const hostOf = (address: string): string | null => (URL.canParse(address) ? new URL(address).host : null)

/**
 * Whether a browser says that a page of another site makes it call us. An image or a link sends no `Origin`, but a `Referer`, and
 * newer browsers say in a word how far away the page is.
 */
function isFromElsewhere({ headers, server }: FastifyRequest): boolean {
  const { host, origin, referer, 'sec-fetch-site': distance } = headers
  const own = [host, hostOf(server.config.publicUrl ?? '')]
  const isForeign = (address: string) => !own.includes(hostOf(address) ?? undefined)
  if (origin && isForeign(origin)) return true
  if (typeof distance === 'string') return distance !== 'same-origin' && distance !== 'none'
  return referer !== undefined && isForeign(referer)
}

/**
 * Calls that change something although they are a GET, as clients of this wire send some, are refused when a page of
 * another site makes the browser send them (input.invalid). The credential is a header that no such page can set, so
 * this is a second lock.
 */
export default fp(
  async app => {
    app.addHook('onRequest', async request => {
      if (request.method !== 'GET' || request.routeOptions.config.changes !== true) return
      if (isFromElsewhere(request)) throw refuse('input.invalid', { 说明: '来源不被允许' })
    })
  },
  { name: 'same origin', dependencies: ['clock', 'envelope', 'journal'] },
)
