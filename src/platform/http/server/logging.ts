import type { FastifyServerOptions } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.ts'

/** Query values that must not be read in a log: token calls carry passwords in the address. */
const secretKeys =
  'password|newPassword|newPassword1|oldPassword|password2|refresh_token|refreshToken|access_token|accessToken|token|blade-auth|code|value|username|account|phone|idCard|client_secret|state'

/** What passwords are called in a free text. */
const passwordNames = '(?:password|passwd|pwd|passphrase|密码|口令)\\d?'

const masks: readonly [pattern: RegExp, by: string][] = [
  // In a sentence, in an address of whatever kind, and in JSON within a text.
  [new RegExp(`(${passwordNames}\\s*[=＝]\\s*)[^\\s"&\\\\]+`, 'gi'), '$1***'],
  [new RegExp(`(${passwordNames}\\s*[:：]\\s*)[^\\s"\\\\,}\\]]+`, 'gi'), '$1***'],
  [new RegExp(`(${passwordNames}\\\\*["']\\s*[:=]\\s*\\\\*["'])[^"'\\\\]+`, 'gi'), '$1***'],
  [new RegExp(`([?&](?:${secretKeys})=)[^&\\s"\\\\]+`, 'gi'), '$1***'],
  [/eyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[token]'],
  [/\b(bearer|basic|crypto)(\s|%20)+[\w.+/=-]{8,}/gi, '$1 [token]'],
  // Our own tokens, and passwords in cipher, wherever they stand.
  [/(?<![\w-])[\w-]{43}(?![\w-])/g, '[token]'],
  [/[0-9a-f]{194,}/gi, '[cipher]'],
  [/(?<!\d)(\d{6})(?:19|20)\d{2}(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])\d{2}\d?[\dXx](?!\d)/g, '$1************'],
  [/(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, '$1****$2'],
]

/** Takes ID numbers, phone numbers, tokens and passwords in addresses out of a text. */
export function maskText(text: string): string {
  return masks.reduce((masked, [pattern, by]) => masked.replace(pattern, by), text)
}

/** Everything but a line break and a tab that a terminal obeys or that turns the direction of a text. */
const obeyed = /[^\P{Cc}\n\t]|[\u2028-\u202e\u2066-\u2069]/gu

/** A text with such characters as their numbers, so that what somebody sent cannot change how a log looks. */
export const visible = (text: string): string =>
  text.replace(obeyed, char => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)

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
