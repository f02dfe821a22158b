import { randomInt } from 'node:crypto'
import { passwordProblem as ruleProblem } from '#engine'
import { demoPassword } from '../config/config.ts'
import { askPasswordThread } from './password-threads.ts'

/** Hashes a password with argon2id (12 MiB, 3 passes), off the event loop. */
export const hashPassword = (password: string): Promise<string> => askPasswordThread<string>({ password })

let decoy: Promise<string> | undefined

/**
 * Whether a password is the one of a hash. Without a hash it takes as long and says no, so that time does not tell which
 * accounts exist.
 */
export async function verifyPassword(stored: string | null | undefined, password: string): Promise<boolean> {
  decoy ??= hashPassword('nobody has this password')
  const against = stored || (await decoy)
  const fits = await askPasswordThread<boolean>({ password, against })
  return Boolean(stored) && fits
}

/**
 * What a password lacks, in words that complete the refusal accounts.passwordTooWeak; null when it is good. Beyond the
 * rules that pages know, it must not be that of the demonstration.
 * @param userType 1 staff, 2 candidate
 * @param names texts it must not contain, such as the account
 */
export const passwordProblem = (password: string, userType: number, names: readonly string[] = []): string | null =>
  ruleProblem(password, userType, names) ?? (password === demoPassword ? '过于常见，请换一个' : null)

/**
 * Makes a reader of passwords that were encrypted with SM2 (C1C2C3, hex); it works off the event loop.
 * @param privateKey 64 hex characters
 * @returns a function that gives the text, or null when the cipher text is not one made for this key
 */
export const cipherReader =
  (privateKey: string) =>
  (cipher: string): Promise<string | null> =>
    askPasswordThread<string | null>({ cipher, privateKey })

const alphabet = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '@#%+=?']

/** A random password of 14 characters with all four kinds and without characters that are easily confused. */
export function randomPassword(): string {
  const draw = (from: string) => from[randomInt(from.length)]!
  const letters = [...alphabet.map(draw), ...Array.from({ length: 10 }, () => draw(alphabet.slice(0, 3).join('')))]
  for (let i = letters.length - 1; i > 0; i--) {
    const j = randomInt(i + 1)
    ;[letters[i], letters[j]] = [letters[j]!, letters[i]!]
  }
  return letters.join('')
}
