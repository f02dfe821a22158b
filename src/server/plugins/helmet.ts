import helmet from '@fastify/helmet'
import fp from 'fastify-plugin'

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
          connectSrc: ["'self'"],
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
    // The same for every answer, so worked out once.
    let headers: readonly [name: string, value: string][] | undefined
    app.addHook('onRequest', async (request, { raw, helmet: setHeaders }) => {
      // Scripts and styles open nothing by themselves; what a page may do, its own headers say.
      if (request.url.startsWith('/assets/')) raw.setHeader('x-content-type-options', 'nosniff')
      else if (headers) for (const [name, value] of headers) raw.setHeader(name, value)
      else {
        await setHeaders()
        headers = Object.entries(raw.getHeaders()).map(([name, value]) => [name, String(value)])
      }
    })
  },
  { name: 'security headers' },
)
