import type { FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.ts'
import { processLive, processReady, serverHealth } from '../contract.ts'
import { loggedUrl } from './logged-url.ts'
import { maskText, visible } from './mask.ts'

const secretFields = [
  'password',
  'newPassword',
  'oldPassword',
  'authorization',
  '["blade-auth"]',
  'cookie',
  'idCard',
  'phone',
]
const redact = secretFields.flatMap(field => {
  const dotted = field.startsWith('[') ? field : `.${field}`
  return [field, `*${dotted}`, `*.*${dotted}`]
})

/** Options of the structured log, one JSON line per event. Whatever a line holds is masked and made visible on its way out. */
export function loggerOptions({ logLevel, logTo }: Pick<Config, 'logLevel' | 'logTo'>): FastifyServerOptions['logger'] {
  return {
    level: logLevel,
    redact: { paths: redact, censor: '***' },
    stream: { write: line => logTo(visible(maskText(line))) },
  }
}

/** Addresses that machines ask once a second and more. */
const probes: ReadonlySet<string | undefined> = new Set(
  [processLive, processReady, serverHealth].map(({ path }) => `/api${path}`),
)

/** Writes one line per answered request; probes that found nothing wrong are told to who looks for everything. */
export default fp(
  async app => {
    // No secret stands among these few values: the line need not be searched for the paths of `redact`.
    const lines = app.log.child({}, { redact: [] })
    app.addHook('onResponse', async (request, reply) => {
      const isQuiet = reply.statusCode === 200 && probes.has(request.routeOptions.url)
      lines[isQuiet ? 'debug' : 'info'](
        {
          reqId: request.id,
          method: request.method,
          url: loggedUrl(request),
          status: reply.statusCode,
          ms: Math.round(reply.elapsedTime),
          ip: request.ip,
          userId: request.person?.userId,
        },
        'answered',
      )
    })
  },
  { name: 'logging' },
)
