import type { FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../config.ts'

/** Query values that must not be read in a log: token calls carry passwords in the address. */
const secretKeys =
  'password|newPassword|newPassword1|oldPassword|password2|refresh_token|refreshToken|access_token|accessToken|token|blade-auth|code|value|username|account|phone|idCard|client_secret|state'

const masks: readonly [pattern: RegExp, by: string][] = [
  [new RegExp(`([?&](?:${secretKeys})=)[^&\\s"\\\\]+`, 'gi'), '$1***'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(bearer|basic|crypto)(\s|%20)+[\w.+/=-]{8,}/gi, '$1 [token]'],
  [/(?<!\d)(\d{6})(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{2}\d?[\dXx](?!\d)/g, '$1************'],
  [/(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, '$1****$2'],
]

/** Takes ID numbers, phone numbers, tokens and passwords in addresses out of a text. */
export function maskText(text: string): string {
  return masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}

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

/**
 * Options of the structured log, one JSON line per event. Whatever a line holds passes one mask on its way out.
 * @param write where lines go; the standard output by default
 */
export function loggerOptions(
  { logLevel }: Pick<Config, 'logLevel'>,
  write: (line: string) => void = line => process.stdout.write(line),
): FastifyServerOptions['logger'] {
  return { level: logLevel, redact: { paths: redact, censor: '***' }, stream: { write: line => write(maskText(line)) } }
}

/** Writes one line per answered request. */
export default fp(
  async app => {
    app.addHook('onResponse', async (request, reply) => {
      request.log.info(
        {
          method: request.method,
          url: request.url,
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
