import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes, scrypt } from 'node:crypto'
import { promisify } from 'node:util'

/** `secret.key` wrapped with a passphrase, which makes a backup useless to whoever only has the file. */
export interface WrappedKey {
  /** Of scrypt. */
  readonly cost: number
  /** Base64. */
  readonly salt: string
  /** Base64 of iv, tag and cipher (AES-256-GCM). */
  readonly sealed: string
}

/** Of scrypt: 64 MB of memory for each guess; a file that asks for more than the most is refused. */
const cost = { own: 2 ** 16, most: 2 ** 20, blocks: 8 }
/** A passphrase has as many characters at least. */
export const leastPassphrase = 12

const derive = promisify(scrypt) as (text: string, salt: Buffer, length: number, options: object) => Promise<Buffer>

const keyOf = (passphrase: string, salt: Buffer, n: number): Promise<Buffer> =>
  derive(passphrase.normalize('NFC'), salt, 32, { N: n, r: cost.blocks, p: 1, maxmem: 256 * n * cost.blocks })

/**
 * Wraps a key.
 * @param belongsTo a digest of what the key is kept with: it opens beside nothing else
 */
export async function wrapKey(secretKey: string, passphrase: string, belongsTo: string): Promise<WrappedKey> {
  const [salt, iv] = [randomBytes(16), randomBytes(12)]
  const cipher = createCipheriv('aes-256-gcm', await keyOf(passphrase, salt, cost.own), iv).setAAD(
    Buffer.from(belongsTo),
  )
  const body = Buffer.concat([cipher.update(secretKey, 'utf8'), cipher.final()])
  const sealed = Buffer.concat([iv, cipher.getAuthTag(), body]).toString('base64')
  return { cost: cost.own, salt: salt.toString('base64'), sealed }
}

/** Opens what {@link wrapKey} made. @throws when the passphrase is another one, or anything was changed */
export async function unwrapKey(wrapped: WrappedKey, passphrase: string, belongsTo: string): Promise<string> {
  const bytes = Buffer.from(wrapped.sealed, 'base64')
  const salt = Buffer.from(wrapped.salt, 'base64')
  try {
    const isSpelled = bytes.toString('base64') === wrapped.sealed && salt.toString('base64') === wrapped.salt
    if (!isSpelled || !(wrapped.cost > 1 && wrapped.cost <= cost.most)) throw new Error('It was not written like this.')
    const key = await keyOf(passphrase, salt, wrapped.cost)
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12)).setAAD(Buffer.from(belongsTo))
    decipher.setAuthTag(bytes.subarray(12, 28))
    return Buffer.concat([decipher.update(bytes.subarray(28)), decipher.final()]).toString('utf8')
  } catch (error) {
    throw new Error('The passphrase does not open the key of this backup, or the backup was changed.', { cause: error })
  }
}

/** By what a key is recognised that is not part of a backup. It tells nothing about the key. */
export const fingerprintOf = (secretKey: string): string =>
  createHash('sha256')
    .update(Buffer.from(hkdfSync('sha256', secretKey, 'juxian', 'fingerprint of the key', 32)))
    .digest('hex')
    .slice(0, 32)
