import type { FastifyRequest } from 'fastify'
import { storable } from '../text-form.ts'
import { maskText, visible } from './mask.ts'

/** Names of values that nobody may read in a log, wherever they stand. */
const secretNames =
  /pass|pwd|secret|token|authorization|cookie|captcha|smsCode|privateKey|apiV3Key|accessKey|idCard|idNo|phone|mobile|username|^value$|^sig$/i

/** Names that hold such a word and mean none: how long something is valid. */
const plainNames = /(validity|validitySeconds|expires_?in)$/i

const isSecretName = (name: string): boolean => secretNames.test(name) && !plainNames.test(name)

/** Characters of one value, values of one list, and depth, that a log keeps at most. */
const most = { text: 500, list: 50, depth: 6 }

/** Cut last: half of a character at the cut is replaced as well. */
const clean = (text: string, length: number): string => storable(visible(storable(text)).slice(0, length))

/** A value with its secrets as stars and long things cut. */
function shortened(value: unknown, mask: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return mask(clean(value, most.text))
  if (typeof value !== 'object' || value === null) return value
  if (depth >= most.depth || Buffer.isBuffer(value)) return '…'
  if (Array.isArray(value)) return value.slice(0, most.list).map(one => shortened(one, mask, depth + 1))
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [
      clean(name, 100),
      isSecretName(name) && one !== '' && one !== null ? '***' : shortened(one, mask, depth + 1),
    ]),
  )
}

/** A value as logs may hold it: secrets as stars, ID and phone numbers masked, long things cut. */
export const masked = (value: unknown): unknown => shortened(value, maskText)

/** Everything a request was sent with besides files: the address's values, and the body's. */
function given({ query, body }: FastifyRequest): Record<string, unknown> {
  const rest = Array.isArray(body) ? { list: body } : typeof body === 'object' ? body : {}
  return { ...(query as object), ...rest }
}

/** What candidates enter in forms is private: of what they send only the plain values are kept. */
const plainOnly = (values: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(values).map(([name, one]) => [name, typeof one === 'object' && one !== null ? '…' : one]),
  )

const kept = (request: FastifyRequest) => (request.person?.isStaff ? given(request) : plainOnly(given(request)))

/** What a request was sent with, as logs may hold it. */
export const paramsOf = (request: FastifyRequest) => masked(kept(request)) as Record<string, unknown>

/** The same as a text of so many characters, which is masked as a whole: every call that writes passes here. */
export function paramsText(request: FastifyRequest, length: number): string {
  return storable(maskText(JSON.stringify(shortened(kept(request), String), null, 2)).slice(0, length))
}

/** A text for a column of so many characters; null for none. */
export const columnText = (value: unknown, length: number): string | null =>
  value === undefined || value === null || value === ''
    ? null
    : storable(maskText(clean(String(value), length)).slice(0, length))
