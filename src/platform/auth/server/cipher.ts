import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import fp from 'fastify-plugin'
import { spendMark } from '../../database/used-mark.ts'
import { refuse } from '../../http/server/refusal.ts'
import { cipherReader } from '../../vault/password.ts'

/** Milliseconds for which a number given to a page serves. */
const lifetime = 5 * 60_000
/** Milliseconds for which a text without such a number is remembered once it has proved who somebody is. */
const memory = 400 * 86_400_000

/** What a page needs to encrypt a password: it encrypts `password\nserverTime\nnonce`. */
export interface CipherTicket {
  keyId: string
  /** 130 hex characters beginning with 04. */
  publicKey: string
  /** Milliseconds since 1970. */
  serverTime: number
  /** Serves once and for five minutes. */
  nonce: string
}

/** Reads passwords that browsers encrypted. */
export interface Cipher {
  readonly keyId: string
  /** A new number for a page, with the key. */
  ticket(now: Date): CipherTicket
  /**
   * Reads the cipher texts of one request: null for one that was not made for our key.
   * @param clientKey private key of the client that calls, where it has a pair of its own: its texts are read with that
   * too
   * @throws auth.passwordUnreadable when a text was made with an outdated key or is a replay of an earlier one
   */
  open(texts: readonly string[], now: Date, keyId?: string, clientKey?: string): Promise<(string | null)[]>
  /**
   * Reads a text that is to prove who somebody is. It serves once, also one from a page that knows no numbers of ours:
   * what somebody overheard opens nothing.
   * @throws auth.passwordUnreadable as `open` does
   */
  openProof(text: string, now: Date, keyId?: string, clientKey?: string): Promise<string | null>
}

declare module 'fastify' {
  interface FastifyInstance {
    cipher: Cipher
  }
}

/** Makes and checks the numbers: time and chance, signed, so that a page that only asks costs no row. */
function nonces(key: string) {
  const sign = (text: string) => createHmac('sha256', key).update(`nonce ${text}`).digest('base64url').slice(0, 22)
  return {
    make(now: Date): string {
      const text = `${now.getTime().toString(36)}.${randomBytes(9).toString('base64url')}`
      return `${text}.${sign(text)}`
    },
    /** When a number of ours was made; null for any other text. */
    timeOf(nonce: string): number | null {
      const [time = '', chance = '', signature = ''] = nonce.split('.')
      const wanted = Buffer.from(sign(`${time}.${chance}`))
      const given = Buffer.from(signature)
      return given.length === wanted.length && timingSafeEqual(given, wanted) ? Number.parseInt(time, 36) : null
    },
  }
}

/** The end of a cipher text, which no two share and which is the same in all its forms; a change there spoils its check. */
const endOf = (text: string) => text.trim().toLowerCase().slice(-64)

const fromPage = /^([\s\S]*)\n(\d{13})\n([\w.-]{20,100})$/

/** Decorates the app with the reader of encrypted passwords. All processes share its key. */
export default fp(
  async app => {
    const { publicKey, privateKey } = app.secrets.pair('sm2')
    const keyId = `sm2-${app.secrets.version('sm2')}`
    const read = cipherReader(privateKey)
    const { make, timeOf } = nonces(app.secrets.get('token'))

    const consume = async (mark: string, until: number) => {
      if (!(await spendMark(app, mark, new Date(until)))) throw refuse('auth.passwordUnreadable')
    }
    const spend = async (nonce: string, serverTime: string, now: Date) => {
      const time = timeOf(nonce)
      if (time === null || String(time) !== serverTime || Math.abs(now.getTime() - time) > lifetime)
        throw refuse('auth.passwordUnreadable')
      await consume(nonce, time + 2 * lifetime)
    }

    /** The texts that could be read, each with whether it carried a number, which is now used. */
    const openAll = async (texts: readonly string[], now: Date, givenKey?: string, clientKey?: string) => {
      if (givenKey && givenKey !== keyId) throw refuse('auth.passwordUnreadable')
      const readOwn = clientKey ? cipherReader(clientKey) : read
      const plain = await Promise.all(texts.map(async text => (await readOwn(text)) ?? (clientKey ? read(text) : null)))
      const pages = plain.map(text => (text === null ? null : fromPage.exec(text)))
      // Several fields of one request, such as a password and its repetition, share one number.
      const used = new Map(pages.flatMap(page => (page ? [[page[3]!, page[2]!] as const] : [])))
      for (const [nonce, serverTime] of used) await spend(nonce, serverTime, now)
      return plain.map((text, i) => ({ text: pages[i]?.[1] ?? text, isNumbered: Boolean(pages[i]) }))
    }

    app.decorate('cipher', {
      keyId,
      ticket: now => ({ keyId, publicKey, serverTime: now.getTime(), nonce: make(now) }),
      open: async (texts, now, givenKey, clientKey) =>
        (await openAll(texts, now, givenKey, clientKey)).map(({ text }) => text),
      openProof: async (cipher, now, givenKey, clientKey) => {
        const [{ text, isNumbered } = { text: null, isNumbered: false }] = await openAll(
          [cipher],
          now,
          givenKey,
          clientKey,
        )
        if (text !== null && !isNumbered) await consume(endOf(cipher), now.getTime() + memory)
        return text
      },
    })
  },
  { name: 'cipher', dependencies: ['vault'] },
)
