import { createHash, createHmac } from 'node:crypto'

/** What signs addresses of a bucket. */
export interface Signer {
  /** Address of the bucket, as those reach it who are given its addresses. */
  address: string
  region: string
  accessKey: string
  secretKey: string
}

/** What an address is good for. */
export interface Permit {
  method: 'GET' | 'PUT'
  /** Name of the object. */
  name: string
  /** Seconds. */
  life: number
  /** Headers that must be sent just so, by their names in small letters. */
  headers?: Readonly<Record<string, string>>
  /** What stands in the address beside the signature. */
  query?: Readonly<Record<string, string>>
}

const algorithm = 'AWS4-HMAC-SHA256'

const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** As the specification wants it: encodeURIComponent leaves some characters that have to be encoded. */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, c => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)

/** Order of code units, which is that of bytes for what is encoded. */
const sorted = (lines: readonly string[]): string[] => [...lines].sort((a, b) => (a < b ? -1 : 1))

/**
 * Signs an address by AWS Signature Version 4: whoever has it may do this one thing until it lapses. Nobody is asked. `s3mini`
 * signs addresses too, but leaves `*` and `'` in them as they are, as names of files have them in their RFC 5987 form: servers
 * refuse those.
 */
export function signedAddress(
  signer: Signer,
  { method, name, life, headers = {}, query = {} }: Permit,
  now = new Date(),
): string {
  const url = new URL(signer.address)
  const path = `${url.pathname.replace(/\/$/, '')}/${name.split('/').map(encoded).join('/')}`
  const time = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [time.slice(0, 8), signer.region, 's3', 'aws4_request']
  const sent = sorted([`host:${url.host}`, ...Object.entries(headers).map(([key, value]) => `${key}:${value.trim()}`)])
  const signed = sent.map(line => line.slice(0, line.indexOf(':'))).join(';')
  const said = {
    ...query,
    'X-Amz-Algorithm': algorithm,
    'X-Amz-Credential': [signer.accessKey, ...scope].join('/'),
    'X-Amz-Date': time,
    'X-Amz-Expires': String(life),
    'X-Amz-SignedHeaders': signed,
  }
  const told = sorted(Object.entries(said).map(([key, value]) => `${encoded(key)}=${encoded(value)}`)).join('&')
  const request = [method, path, told, ...sent, '', signed, 'UNSIGNED-PAYLOAD'].join('\n')
  const digest = createHash('sha256').update(request).digest('hex')
  const key = scope.reduce<string | Buffer>(hmac, `AWS4${signer.secretKey}`)
  const signature = hmac(key, [algorithm, time, scope.join('/'), digest].join('\n')).toString('hex')
  return `${url.origin}${path}?${told}&X-Amz-Signature=${signature}`
}
