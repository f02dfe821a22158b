import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

interface Signed {
  method: string
  url: string
  headers: IncomingHttpHeaders
}

/** The signature of a request by the specification, from nothing of ours. */
function signatureOf(
  { method, url, headers }: Signed,
  of: { query: readonly string[]; signed: string; payload: string; time: string; scope: string },
  secret: string,
): string {
  const canonical = [
    method,
    new URL(url, 'http://here').pathname,
    [...of.query].sort().join('&'),
    ...of.signed.split(';').map(name => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    of.signed,
    of.payload,
  ].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', of.time, of.scope, digest].join('\n')
  const key = of.scope.split('/').reduce<string | Buffer>((before, part) => hmac(before, part), `AWS4${secret}`)
  return hmac(key, text).toString('hex')
}

const queryOf = (url: string) => [...new URL(url, 'http://here').searchParams]
const pairs = (query: readonly (readonly [string, string])[]) =>
  query.map(([name, value]) => `${encode(name)}=${encode(value)}`)

/**
 * Whether a request carries the AWS Signature Version 4 of a secret over its method, address and signed headers, computed here
 * from the specification and nothing of ours.
 */
export function isSignedV4(request: Signed, secret: string): boolean {
  const { url, headers } = request
  const [, scope = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8}\/[^/]+\/s3\/aws4_request), ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      headers.authorization ?? '',
    ) ?? []
  const [payload, time] = [String(headers['x-amz-content-sha256']), String(headers['x-amz-date'])]
  return signatureOf(request, { query: pairs(queryOf(url)), signed, payload, time, scope }, secret) === signature
}

/** The same for an address that carries its signature in its query and holds for so many seconds. */
export function isSignedAddressV4(request: Signed, secret: string, now = new Date()): boolean {
  const query = queryOf(request.url)
  const value = (name: string) => query.find(([one]) => one === name)?.[1] ?? ''
  const [time, scope] = [value('X-Amz-Date'), value('X-Amz-Credential').replace(/^[^/]+\//, '')]
  const begin = Date.parse(time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
  const isDue = now.getTime() >= begin - 60_000 && now.getTime() <= begin + Number(value('X-Amz-Expires')) * 1000
  const rest = pairs(query.filter(([name]) => name !== 'X-Amz-Signature'))
  const of = { query: rest, signed: value('X-Amz-SignedHeaders'), payload: 'UNSIGNED-PAYLOAD', time, scope }
  return isDue && signatureOf(request, of, secret) === value('X-Amz-Signature')
}
