import { createHash, createHmac } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
const encode = (text: string) =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/**
 * Whether a request carries the AWS Signature Version 4 of a secret over its method, address and signed headers, computed here
 * from the specification and nothing of ours.
 */
export function isSignedV4(
  { method, url, headers }: { method: string; url: string; headers: IncomingHttpHeaders },
  secret: string,
): boolean {
  const given = headers.authorization ?? ''
  const [, date = '', region = '', signed = '', signature = ''] =
    /^AWS4-HMAC-SHA256 Credential=[^/]+\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/.exec(
      given,
    ) ?? []
  const { pathname, searchParams } = new URL(url, 'http://here')
  const query = [...searchParams].map(([name, value]) => `${encode(name)}=${encode(value)}`).sort()
  const canonical = [
    method,
    pathname,
    query.join('&'),
    ...signed.split(';').map(name => `${name}:${String(headers[name] ?? '').trim()}`),
    '',
    signed,
    headers['x-amz-content-sha256'],
  ].join('\n')
  const digest = createHash('sha256').update(canonical).digest('hex')
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], `${date}/${region}/s3/aws4_request`, digest].join('\n')
  const key = ['s3', 'aws4_request'].reduce<Buffer>(hmac, hmac(hmac(`AWS4${secret}`, date), region))
  return hmac(key, text).toString('hex') === signature
}
