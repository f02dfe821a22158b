import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { Parser } from 'saxen'

/** What a push of WeChat says, by the names of its elements. */
export type Push = Readonly<Record<string, string>>

/** Values in the address of a push. */
export interface PushQuery {
  readonly timestamp: string
  readonly nonce: string
  readonly signature?: string | undefined
  readonly msg_signature?: string | undefined
}

/** The keys of an account for what WeChat sends by itself, in clear. */
export interface PushKeys {
  readonly appId: string
  readonly token: string
  /** 43 characters; empty where pushes come in plain text. */
  readonly aesKey: string
}

/** The keys of a row of the settings. */
export const pushKeysOf = (
  vault: { open(sealed: string): string },
  { appId, pushToken, aesKey }: { appId: string; pushToken: string; aesKey: string | null },
): PushKeys => ({ appId, token: vault.open(pushToken), aesKey: aesKey ? vault.open(aesKey) : '' })

/** Seconds by which a push may be old, or ahead. */
const staleness = 300

/** SHA-1 of the sorted texts, one after the other: WeChat's signature. */
export const signatureOf = (...texts: readonly string[]): string =>
  createHash('sha1').update(texts.toSorted().join('')).digest('hex')

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [one, other].map(text => createHash('sha256').update(text).digest())
  return timingSafeEqual(a!, b!)
}

/** Whether an address was signed by whoever knows the token, within the last minutes. */
export const isSigned = ({ token }: PushKeys, { timestamp, nonce, signature = '' }: PushQuery, now: Date): boolean =>
  isSame(signature, signatureOf(token, timestamp, nonce)) &&
  Math.abs(now.getTime() / 1000 - Number(timestamp)) <= staleness

/** The elements directly below the only one of a small document. @throws for anything else */
export function readXml(xml: string): Push {
  const found: Record<string, string> = Object.create(null)
  const path: string[] = []
  let text = ''
  const fail = (error: Error): never => {
    throw error
  }
  new Parser()
    .on('openTag', name => {
      path.push(name)
      text = ''
      if (path.length > 10) throw new Error('too deep')
    })
    .on('text', (part, decode) => {
      text += decode(part)
    })
    .on('cdata', part => {
      text += part
    })
    .on('closeTag', () => {
      const name = path.pop() ?? ''
      if (path.length === 1) found[name] = text.trim()
    })
    .on('attention', () => fail(new Error('a declaration')))
    .on('error', fail)
    .parse(xml)
  return found
}

/** Bytes in a block as WeChat pads texts: twice those of the cipher. */
const block = 32

const keyOf = (aesKey: string): Buffer => Buffer.from(`${aesKey}=`, 'base64')

/** Opens what WeChat has encrypted for an account. @throws for anything else */
export function decrypt({ aesKey, appId }: PushKeys, encrypted: string): string {
  const key = keyOf(aesKey)
  const cipher = createDecipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  const padded = Buffer.concat([cipher.update(encrypted, 'base64'), cipher.final()])
  const padding = padded.at(-1) ?? 0
  if (padding < 1 || padding > block) throw new Error('no padding')
  const plain = padded.subarray(16, padded.length - padding)
  const end = 4 + plain.readUInt32BE(0)
  if (plain.subarray(end).toString() !== appId) throw new Error('for another account')
  return plain.subarray(4, end).toString()
}

/** Encrypts a text as WeChat does, and wants it. */
export function encrypt({ aesKey, appId }: PushKeys, text: string): string {
  const key = keyOf(aesKey)
  const length = Buffer.alloc(4)
  const content = Buffer.from(text)
  length.writeUInt32BE(content.length)
  const plain = Buffer.concat([randomBytes(16), length, content, Buffer.from(appId)])
  const padding = block - (plain.length % block)
  const cipher = createCipheriv('aes-256-cbc', key, key.subarray(0, 16)).setAutoPadding(false)
  return Buffer.concat([
    cipher.update(Buffer.concat([plain, Buffer.alloc(padding, padding)])),
    cipher.final(),
  ]).toString('base64')
}

/**
 * Reads a push that is signed. An account with a key takes encrypted ones alone.
 * @throws for one that is not WeChat's, or no push
 */
export function readPush(keys: PushKeys, query: PushQuery, body: string): Push {
  const outer = readXml(body)
  if (keys.aesKey === '') return outer
  const { Encrypt: encrypted = '' } = outer
  const { timestamp, nonce, msg_signature: signature = '' } = query
  if (!isSame(signature, signatureOf(keys.token, timestamp, nonce, encrypted))) throw new Error('not signed')
  return readXml(decrypt(keys, encrypted))
}

/** A text in an element of a document, whatever stands in it. */
const cdata = (text: string): string => `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`

/** The answer to a push that is shown to whoever made it, as WeChat reads it. */
export function replyTo(keys: PushKeys, push: Push, text: string, now: Date): string {
  const seconds = Math.floor(now.getTime() / 1000)
  const { FromUserName: to = '', ToUserName: from = '' } = push
  const plain = `<xml><ToUserName>${cdata(to)}</ToUserName><FromUserName>${cdata(from)}</FromUserName><CreateTime>${seconds}</CreateTime><MsgType>${cdata('text')}</MsgType><Content>${cdata(text)}</Content></xml>`
  if (keys.aesKey === '') return plain
  const encrypted = encrypt(keys, plain)
  const nonce = randomBytes(8).toString('hex')
  const signature = signatureOf(keys.token, String(seconds), nonce, encrypted)
  return `<xml><Encrypt>${cdata(encrypted)}</Encrypt><MsgSignature>${cdata(signature)}</MsgSignature><TimeStamp>${seconds}</TimeStamp><Nonce>${cdata(nonce)}</Nonce></xml>`
}
