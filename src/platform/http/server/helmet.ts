import helmet from '@fastify/helmet'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { publicOrigin } from '../../channels/storage/own-bucket.ts'

const POLICY = 'content-security-policy'
/** Milliseconds for which the addresses of the menu are not asked for again. */
const KEPT = 5000

/** The origins of the outside pages in the menus: these may be embedded, and no others. */
function framesOf(app: FastifyInstance): () => Promise<readonly string[]> {
  let known: { at: number; origins: Promise<readonly string[]> } | undefined
  const ask = async (): Promise<readonly string[]> => {
    const rows = await app.db
      .selectFrom('menu')
      .select('path')
      .distinct()
      .where('path', 'like', 'http%://%')
      .where('isDeleted', '=', 0)
      .execute()
    const addresses = rows.flatMap(({ path }) => (path && URL.canParse(path) ? [new URL(path)] : []))
    return [...new Set(addresses.filter(one => /^https?:$/.test(one.protocol)).map(one => one.origin))]
  }
  return () => {
    // Without the database pages are still served, and embed nothing from outside.
    if (!known || Date.now() - known.at > KEPT) known = { at: Date.now(), origins: ask().catch(() => []) }
    return known.origins
  }
}

/** Headers that tell browsers what the pages may do. Scripts come from this server only and nothing is evaluated. */
export default fp(
  async app => {
    await app.register(helmet, {
      global: false,
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'self'"],
          scriptSrc: ["'self'"],
          // antd writes its styles into the page.
          styleSrc: ["'self'", "'unsafe-inline'"],
          imgSrc: ["'self'", 'data:', 'blob:'],
          fontSrc: ["'self'", 'data:'],
          // Files are put into the bucket by the pages themselves.
          connectSrc: ["'self'", ...(app.config.s3 ? [publicOrigin(app.config.s3)] : [])],
          workerSrc: ["'self'", 'blob:'],
          frameSrc: ["'self'", 'blob:'],
          objectSrc: ["'none'"],
          baseUri: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'self'"],
        },
      },
      frameguard: { action: 'sameorigin' },
      crossOriginEmbedderPolicy: false,
      referrerPolicy: { policy: 'same-origin' },
    })
    // The same for every answer, so computed once.
    let headers: readonly [name: string, value: string][] | undefined
    const frames = framesOf(app)
    app.addHook('onRequest', async (request, { raw, helmet: setHeaders }) => {
      // Scripts and styles open nothing by themselves; what a page may do, its own headers say.
      if (request.url.startsWith('/assets/')) raw.setHeader('x-content-type-options', 'nosniff')
      else if (headers) for (const [name, value] of headers) raw.setHeader(name, value)
      else {
        await setHeaders()
        headers = Object.entries(raw.getHeaders()).map(([name, value]) => [name, String(value)])
      }
      // Pages alone embed others; a call is answered with what it always was.
      if (request.method === 'GET' && !/^\/(api|assets)\//.test(request.url)) {
        const allowed = await frames()
        const policy = String(raw.getHeader(POLICY))
        if (allowed.length > 0)
          raw.setHeader(
            POLICY,
            policy.replace(/frame-src [^;]*/, own => `${own} ${allowed.join(' ')}`),
          )
      }
    })
  },
  { name: 'security headers' },
)
