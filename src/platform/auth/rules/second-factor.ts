import { Secret, TOTP } from 'otpauth'
import { randomBelow } from '../../vault/random.ts'

/** What a tenant asks of its staff: nothing, what each likes, or a second factor of all or of some roles. */
export type FactorPolicy = 'off' | 'optional' | 'required' | readonly string[]

/** Reads the parameter `login.secondFactor`: one word, or the aliases of the roles that must have one. */
export function policyOf(text: string | undefined): FactorPolicy {
  const aliases = (text ?? '').split(/[,，\s]+/).filter(Boolean)
  const word = aliases[0]?.toLowerCase()
  if (aliases.length === 1 && (word === 'off' || word === 'required')) return word
  return word === undefined || word === 'optional' ? 'optional' : aliases
}

/** Whether a policy leaves somebody with these role aliases no choice. */
export function isRequired(policy: FactorPolicy, roles: readonly string[]): boolean {
  if (typeof policy === 'string') return policy === 'required'
  return policy.some(alias => roles.includes(alias))
}

const period = 30

const generator = (secret: string, label = '', issuer = '') =>
  new TOTP({ secret: Secret.fromBase32(secret), label, issuer, algorithm: 'SHA1', digits: 6, period })

/** A new secret, 160 random bits in base 32. */
export const newFactorSecret = (): string => new Secret({ size: 20 }).base32

/** The address that an authenticator app reads from a picture. */
export const factorUri = (secret: string, account: string, issuer: string): string =>
  generator(secret, account, issuer).toString()

/**
 * The time step for which a code was made, of the present one and its two neighbours; null for a wrong code and for one
 * that is not newer than the last that served.
 */
export function stepOfCode(secret: string, code: string, now: Date, lastStep: number): number | null {
  const timestamp = now.getTime()
  const delta = generator(secret).validate({ token: code, timestamp, window: 1 })
  const step = delta === null ? null : Math.floor(timestamp / 1000 / period) + delta
  return step !== null && step > lastStep ? step : null
}

const letters = 'abcdefghjkmnpqrstuvwxyz23456789'
const codeLength = 10

/** Ten codes as people write them down, 49 random bits each. */
export const newRecoveryCodes = (): string[] =>
  Array.from({ length: 10 }, () => {
    const text = Array.from({ length: codeLength }, () => letters[randomBelow(letters.length)]).join('')
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })

/** A recovery code as it is compared: however it was typed. */
export const plainRecoveryCode = (typed: string): string => typed.toLowerCase().replace(/[^a-z\d]/g, '')
