import { createHash, createHmac } from 'node:crypto'

/** The keys to an account at Aliyun. */
export interface AliyunAccount {
  accessKey: string
  secretKey: string
}

/** A call of Aliyun's RPC style: everything it says stands in its address. */
export interface AliyunCall {
  host: string
  action: string
  version: string
  params: Readonly<Record<string, string>>
  time: Date
  /** Different for each call. */
  nonce: string
}

const algorithm = 'ACS3-HMAC-SHA256'
const digest = (text: string): string => createHash('sha256').update(text).digest('hex')
const encode = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

/** The parameters of a call in the order and spelling that is signed. */
export const queryOf = (params: AliyunCall['params']): string =>
  Object.keys(params)
    .sort()
    .map(name => `${encode(name)}=${encode(params[name] ?? '')}`)
    .join('&')

/** The headers of a call, its signature (ACS3-HMAC-SHA256) among them. Its body is empty. */
export function signedHeaders(account: AliyunAccount, call: AliyunCall): Record<string, string> {
  const hash = digest('')
  const headers: Record<string, string> = {
    host: call.host,
    'x-acs-action': call.action,
    'x-acs-content-sha256': hash,
    'x-acs-date': call.time.toISOString().replace(/\.\d+Z$/, 'Z'),
    'x-acs-signature-nonce': call.nonce,
    'x-acs-version': call.version,
  }
  const names = Object.keys(headers).join(';')
  const lines = Object.entries(headers).map(([name, value]) => `${name}:${value}\n`)
  const canonical = ['POST', '/', queryOf(call.params), lines.join(''), names, hash].join('\n')
  const signature = createHmac('sha256', account.secretKey)
    .update(`${algorithm}\n${digest(canonical)}`)
    .digest('hex')
  return {
    ...headers,
    authorization: `${algorithm} Credential=${account.accessKey},SignedHeaders=${names},Signature=${signature}`,
  }
}
