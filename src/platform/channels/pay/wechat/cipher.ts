import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

/** The encrypted part of a notification, on the wire. */
export interface CipherResource {
  algorithm: 'AEAD_AES_256_GCM'
  ciphertext: string
  associated_data: string
  nonce: string
  original_type: string
}

const tagLength = 16

/** Seals a text with the merchant's APIv3 key (32 bytes). */
export function seal(text: string, apiV3Key: string, originalType: string): CipherResource {
  const nonce = randomBytes(6).toString('hex')
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(apiV3Key), nonce)
  cipher.setAAD(Buffer.from(originalType))
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()])
  return {
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext: sealed.toString('base64'),
    associated_data: originalType,
    nonce,
    original_type: originalType,
  }
}

/**
 * Opens what {@link seal} closed.
 * @throws Error when the tag does not fit: wrong key, or a bit changed on the way
 */
export function open(resource: CipherResource, apiV3Key: string): string {
  const sealed = Buffer.from(resource.ciphertext, 'base64')
  if (sealed.length < tagLength) throw new Error('sealed text is shorter than its tag')
  const decipher = createDecipheriv('aes-256-gcm', Buffer.from(apiV3Key), resource.nonce, {
    authTagLength: tagLength,
  })
  decipher.setAAD(Buffer.from(resource.associated_data ?? ''))
  decipher.setAuthTag(sealed.subarray(-tagLength))
  return decipher.update(sealed.subarray(0, -tagLength), undefined, 'utf8') + decipher.final('utf8')
}
