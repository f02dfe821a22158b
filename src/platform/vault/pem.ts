import { createPrivateKey, createPublicKey } from 'node:crypto'

/**
 * A PEM text as it was before it went through an input of one line: line feeds back in their places, those written `\n` too.
 * Text that is no PEM stays as it is.
 */
export function pemOf(text: string): string {
  const plain = text.trim().replaceAll('\\n', '\n')
  const [, label, body] = /^-----BEGIN ([A-Z ]+)-----([\s\S]+)-----END \1-----$/.exec(plain) ?? []
  if (!label || !body) return plain
  const lines = body.replace(/\s+/g, '').match(/.{1,64}/g) ?? []
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`
}

/** True for a private key in PEM. */
export const isPrivateKey = (pem: string): boolean => reads(() => createPrivateKey(pem))

/** True for a public key or certificate in PEM. */
export const isPublicKey = (pem: string): boolean => reads(() => createPublicKey(pem))

function reads(read: () => unknown): boolean {
  try {
    read()
    return true
  } catch {
    return false
  }
}
