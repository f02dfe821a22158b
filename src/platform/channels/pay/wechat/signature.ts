import { createPublicKey, createSign, createVerify, type KeyObject, randomBytes } from 'node:crypto'

/** The four headers that carry the platform's signature. */
export interface SignedHeaders {
  timestamp: string
  nonce: string
  signature: string
  serial: string
}

/** A fresh nonce of 32 characters, as the API wants it. */
function newNonce(): string {
  return randomBytes(16).toString('hex').toUpperCase()
}

/** RSA-SHA256 over the bytes, base64. */
function sign(message: string | Buffer, privateKey: KeyObject | string): string {
  return createSign('RSA-SHA256').update(message).sign(privateKey, 'base64')
}

/** True when the base64 signature fits the bytes. A signature that is no base64 at all is simply wrong. */
export function signatureFits(message: string | Buffer, signature: string, publicKey: KeyObject): boolean {
  return createVerify('RSA-SHA256').update(message).verify(publicKey, signature, 'base64')
}

/** What a merchant signs: method, path with query, seconds, nonce and body, each ended by a line feed. */
export function requestMessage(method: string, path: string, timestamp: string, nonce: string, body: string): string {
  return `${method}\n${path}\n${timestamp}\n${nonce}\n${body}\n`
}

/** What the platform signs in answers and notifications; the body stays raw bytes, never text read again. */
export function platformMessage(timestamp: string, nonce: string, body: Buffer | string): Buffer {
  return Buffer.concat([Buffer.from(`${timestamp}\n${nonce}\n`), Buffer.from(body), Buffer.from('\n')])
}

/** Who signs a request. */
export interface Merchant {
  mchid: string
  serialNo: string
  /** PKCS#8 PEM. */
  privateKey: string
}

/** The Authorization header of one request. `seconds` is the Unix time. */
export function authorization(merchant: Merchant, method: string, path: string, body: string, seconds: number): string {
  const nonce = newNonce()
  const signature = sign(requestMessage(method, path, String(seconds), nonce, body), merchant.privateKey)
  const parts = {
    mchid: merchant.mchid,
    nonce_str: nonce,
    timestamp: String(seconds),
    serial_no: merchant.serialNo,
    signature,
  }
  const list = Object.entries(parts).map(([name, value]) => `${name}="${value}"`)
  return `WECHATPAY2-SHA256-RSA2048 ${list.join(',')}`
}

/** Reads an Authorization header back into its parts; null when it is not one of this scheme. */
export function readAuthorization(header: string | undefined): Record<string, string> | null {
  const [, list] = /^WECHATPAY2-SHA256-RSA2048\s+(.+)$/.exec(header ?? '') ?? []
  if (!list) return null
  return Object.fromEntries([...list.matchAll(/(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]))
}

/** The headers the platform puts on an answer or a notification. */
export function platformHeaders(
  body: Buffer | string,
  seconds: number,
  serial: string,
  privateKey: string,
): Record<string, string> {
  const nonce = newNonce()
  return {
    'Wechatpay-Timestamp': String(seconds),
    'Wechatpay-Nonce': nonce,
    'Wechatpay-Serial': serial,
    'Wechatpay-Signature': sign(platformMessage(String(seconds), nonce, body), privateKey),
    'Wechatpay-Signature-Type': 'WECHATPAY2-SHA256-RSA2048',
  }
}

/** Key objects by serial, read once from PEM public keys or certificates. */
export function readPlatformKeys(pemBySerial: Readonly<Record<string, string>>): Map<string, KeyObject> {
  return new Map(Object.entries(pemBySerial).map(([serial, pem]) => [serial, createPublicKey(pem)]))
}
