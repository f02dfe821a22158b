import { createHash, randomBytes } from 'node:crypto'
import { canonical } from '../../../engine/blank.ts'

/**
 * Content that a chain covers by a digest only. Without its salt the digest tells nothing of the content, so both go together and
 * the chain stays as it was.
 */
export interface Salted {
  readonly salt: string
  /** SHA-256 of salt and content. */
  readonly contentHash: string
}

/** The digest of content under a salt. */
export const saltedDigest = (salt: string, content: unknown): string =>
  createHash('sha256')
    .update(`${salt}\n${canonical(content)}`)
    .digest('hex')

/** A new salt with the digest of some content. */
export function salted(content: unknown): Salted {
  const salt = randomBytes(16).toString('hex')
  return { salt, contentHash: saltedDigest(salt, content) }
}
