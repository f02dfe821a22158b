import { createHash, createHmac } from 'node:crypto'

/** A call of Tencent Cloud's API 3.0: everything it says stands in its body. */
export interface TencentCall {
  /** The `Host` header as it is sent, with its port where there is one. */
  host: string
  action: string
  version: string
  region: string
  body: string
  time: Date
}

const algorithm = 'TC3-HMAC-SHA256'
const contentType = 'application/json; charset=utf-8'
const service = 'sms'

const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const keyed = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()

/** The headers of a call, its signature (TC3-HMAC-SHA256) among them. */
export function signedHeaders(
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
  { host, action, version, region, body, time }: TencentCall,
): Record<string, string> {
  const seconds = String(Math.floor(time.getTime() / 1000))
  const day = time.toISOString().slice(0, 10)
  const scope = `${day}/${service}/tc3_request`
  const names = 'content-type;host'
  const canonical = `POST\n/\n\ncontent-type:${contentType}\nhost:${host}\n\n${names}\n${digest(body)}`
  const text = `${algorithm}\n${seconds}\n${scope}\n${digest(canonical)}`
  const key = keyed(keyed(keyed(`TC3${secretKey}`, day), service), 'tc3_request')
  const signature = keyed(key, text).toString('hex')
  return {
    'content-type': contentType,
    'x-tc-action': action,
    'x-tc-version': version,
    'x-tc-region': region,
    'x-tc-timestamp': seconds,
    authorization: `${algorithm} Credential=${accessKey}/${scope}, SignedHeaders=${names}, Signature=${signature}`,
  }
}
