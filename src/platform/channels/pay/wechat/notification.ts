import type { KeyObject } from 'node:crypto'
import { type ChannelHeaders, type ChannelOrder, NotifyError } from '../channel.ts'
import type { ChannelRefund } from '../refund.ts'
import { type CipherResource, open } from './cipher.ts'
import type { NonceStore } from './nonces.ts'
import { readRefund } from './refund.ts'
import { platformMessage, type SignedHeaders, signatureFits } from './signature.ts'
import { readTransaction } from './transaction.ts'

/** Seconds a notification's clock may differ from ours. */
const tolerance = 300
/** Milliseconds a nonce is remembered; twice the tolerance, so none can come back while its time still passes. */
const nonceLife = 600_000
/** Signatures with which the platform probes whether a merchant checks at all; they must fail. */
const probe = 'WECHATPAY/SIGNTEST/'

/** What the reading of a notification depends on. */
export interface NotificationKeys {
  appid: string
  mchid: string
  apiV3Key: string
  platformKeys: ReadonlyMap<string, KeyObject>
  nonces: NonceStore
  now: () => Date
}

interface Notification {
  id: string
  event_type: string
  resource: CipherResource
}

/**
 * Reads a payment notification, believing nothing before it has been proved: headers, time, serial, signature over the
 * raw bytes, nonce, cipher, merchant.
 * @throws NotifyError naming the first thing that is wrong
 */
export async function readNotification(
  keys: NotificationKeys,
  headers: ChannelHeaders,
  rawBody: Buffer,
): Promise<ChannelOrder> {
  await prove(keys, headers, rawBody)
  const { id, content } = decipher(rawBody, keys.apiV3Key, readTransaction)
  if (content.appid !== keys.appid || content.mchid !== keys.mchid) throw stranger()
  return { ...content, notifyId: id }
}

/**
 * Reads a notification about a refund, proved in the same way.
 * @throws NotifyError naming the first thing that is wrong
 */
export async function readRefundNotification(
  keys: NotificationKeys,
  headers: ChannelHeaders,
  rawBody: Buffer,
): Promise<ChannelRefund> {
  await prove(keys, headers, rawBody)
  const { id, content } = decipher(rawBody, keys.apiV3Key, readRefund)
  const { mchid, ...refund } = content
  if (mchid !== keys.mchid) throw stranger()
  return { ...refund, notifyId: id }
}

const stranger = () => new NotifyError('merchant', 'appid or mchid is not ours')

async function prove(keys: NotificationKeys, headers: ChannelHeaders, rawBody: Buffer): Promise<void> {
  const signed = signedHeaders(headers)
  checkTime(signed.timestamp, keys.now())
  checkSignature(signed, rawBody, keys.platformKeys)
  const fresh = await keys.nonces.spend(signed.nonce, new Date(keys.now().getTime() + nonceLife))
  if (!fresh) throw new NotifyError('replayed', 'nonce was used before')
}

function signedHeaders(headers: ChannelHeaders): SignedHeaders {
  const read = (name: string): string => {
    const value = headers[name]
    if (typeof value !== 'string' || value === '') throw new NotifyError('header', `${name} is missing`)
    return value
  }
  return {
    timestamp: read('wechatpay-timestamp'),
    nonce: read('wechatpay-nonce'),
    signature: read('wechatpay-signature'),
    serial: read('wechatpay-serial'),
  }
}

function checkTime(timestamp: string, now: Date): void {
  const apart = Math.abs(now.getTime() / 1000 - Number(timestamp))
  if (!/^\d{1,12}$/.test(timestamp) || apart > tolerance) throw new NotifyError('stale', 'timestamp is out of range')
}

function checkSignature(signed: SignedHeaders, rawBody: Buffer, keys: ReadonlyMap<string, KeyObject>): void {
  const key = keys.get(signed.serial)
  if (!key) throw new NotifyError('serial', 'serial is unknown')
  if (signed.signature.startsWith(probe)) throw new NotifyError('probe', 'a probe, not a signature')
  const message = platformMessage(signed.timestamp, signed.nonce, rawBody)
  if (!signatureFits(message, signed.signature, key)) throw new NotifyError('signature', 'signature does not fit')
}

function decipher<T>(rawBody: Buffer, apiV3Key: string, read: (text: string) => T): { id: string; content: T } {
  try {
    const notification = JSON.parse(rawBody.toString('utf8')) as Notification
    return { id: String(notification.id ?? ''), content: read(open(notification.resource, apiV3Key)) }
  } catch (error) {
    throw new NotifyError('cipher', error instanceof Error ? error.message : 'cannot be opened')
  }
}
