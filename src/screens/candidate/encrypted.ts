import type { AnswerOf } from '#engine'
import { isMissing, MISSING } from '../../platform/http/browser/absent.ts'
import { call } from '../../platform/http/browser/call.ts'
import { publicKey } from '../../platform/http/contract.ts'

type Answered = AnswerOf<typeof publicKey>

/** The key for passwords; another Blade server than ours gives no number with it. */
export type Key = Pick<Answered, 'publicKey'> & Partial<Answered>

/** Passwords on the wire, with the number of the key where the server gave one. */
interface Sealed {
  keyId?: string
  texts: string[]
}

const askKey = (): Promise<Key> => call(publicKey, {}, { pass: [MISSING] })

async function sealed(
  { keyId, publicKey: key, serverTime, nonce }: Key,
  passwords: readonly string[],
): Promise<Sealed> {
  const { encrypt } = await import('../../platform/http/browser/cipher.ts')
  const bound = nonce ? `\n${serverTime}\n${nonce}` : ''
  return { ...(keyId && { keyId }), texts: passwords.map(text => encrypt(`${text}${bound}`, key)) }
}

/** Passwords encrypted for the server, in ours bound to its time and a number that serves once. @throws as `call` */
export const encrypted = async (passwords: readonly string[]): Promise<Sealed> => sealed(await askKey(), passwords)

/**
 * Passwords for a call that other Blade servers than ours read as they were typed: all but signing in and registering.
 * @throws as `call`
 */
export async function readable(passwords: readonly string[]): Promise<Sealed> {
  const key = await askKey().catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  return key?.nonce ? sealed(key, passwords) : { texts: [...passwords] }
}
