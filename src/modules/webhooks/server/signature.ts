import { createHmac, randomBytes } from 'node:crypto'
import { HookAlgorithm } from '#schemas/dictionaries'

const prefix = 'whsec_'

/** A new secret, as the receiver is told it. */
export const newSecret = (): string => prefix + randomBytes(32).toString('base64')

/** What is signed. */
export interface Signed {
  readonly id: string
  /** Whole seconds since 1970. */
  readonly timestamp: number
  readonly body: string
}

const hmac = (algorithm: 'sha256' | 'sm3', secret: string, { id, timestamp, body }: Signed): string =>
  createHmac(algorithm, Buffer.from(secret.slice(prefix.length), 'base64'))
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')

/**
 * The value of `webhook-signature` (Standard Webhooks): one signature for each secret; where SM3 is asked for that one first, beside the
 * one that every library knows.
 */
export const signatureOf = (signed: Signed, secrets: readonly string[], algorithm: number): string =>
  secrets
    .flatMap(secret => {
      const usual = `v1,${hmac('sha256', secret, signed)}`
      return algorithm === HookAlgorithm.sm3 ? [`v1sm3,${hmac('sm3', secret, signed)}`, usual] : [usual]
    })
    .join(' ')
