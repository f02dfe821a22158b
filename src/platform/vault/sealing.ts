import { createCipheriv, createHmac, randomBytes } from 'node:crypto'

/** Encrypts bytes (AES-256-GCM). @returns iv, tag and cipher */
export function sealWith(key: Uint8Array, bytes: Uint8Array): Buffer {
  const iv = randomBytes(12)
  const cipher = createCipheriv('aes-256-gcm', key, iv)
  const body = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), body])
}

/** A sealed text as it is stored: `v<version>:<base64 of iv, tag and cipher>`. */
export const sealedText = (version: number, key: Uint8Array, text: string): string =>
  `v${version}:${sealWith(key, Buffer.from(text)).toString('base64')}`

/** The search hash of a text within a tenant. */
export const searchHash = (pepper: Uint8Array, tenantId: string, text: string): string =>
  createHmac('sha256', pepper).update(`${tenantId}\n${text}`).digest('hex')
