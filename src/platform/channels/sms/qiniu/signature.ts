import { createHmac } from 'node:crypto'

/** A call of Qiniu Cloud. */
export interface QiniuCall {
  method: 'GET' | 'POST'
  /** Path and query. */
  path: string
  /** The `Host` header as it is sent, with its port where there is one. */
  host: string
  /** JSON; without it the call is a GET. */
  body?: string
}

const contentType = 'application/json'

/** The headers of a call, its signature among them. No time is signed: the same call stays valid. */
export function signedHeaders(
  { accessKey, secretKey }: { accessKey: string; secretKey: string },
  { method, path, host, body }: QiniuCall,
): Record<string, string> {
  const head = body === undefined ? '' : `\nContent-Type: ${contentType}`
  const text = `${method} ${path}\nHost: ${host}${head}\n\n${body ?? ''}`
  const signature = createHmac('sha1', secretKey).update(text).digest('base64')
  return {
    ...(body !== undefined && { 'content-type': contentType }),
    authorization: `Qiniu ${accessKey}:${signature.replaceAll('+', '-').replaceAll('/', '_')}`,
  }
}
