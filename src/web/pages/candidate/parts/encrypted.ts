import { call } from '../../../http.ts'

interface Ticket {
  keyId: string
  publicKey: string
  serverTime: number
  nonce: string
}

/** Passwords as they travel: encrypted for the server, bound to its time and a number that serves once. @throws as `call` */
export async function encrypted(passwords: readonly string[]): Promise<{ keyId: string; texts: string[] }> {
  const [{ keyId, publicKey, serverTime, nonce }, { encrypt }] = await Promise.all([
    call<Ticket>('GET', '/blade-auth/oauth/public-key'),
    import('../../../login/cipher.ts'),
  ])
  return { keyId, texts: passwords.map(text => encrypt(`${text}\n${serverTime}\n${nonce}`, publicKey)) }
}
