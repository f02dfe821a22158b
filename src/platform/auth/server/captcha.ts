import { randomBytes } from 'node:crypto'
import { createChallenge, verifySolution } from 'altcha-lib/v1'
import fp from 'fastify-plugin'
import '../../database/auth-tables.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { readNumberParam } from '../../database/param.ts'
import { apart } from '../../database/request-transaction.ts'
import { countOf, countUp } from '../../database/throttle.ts'
import { spendMark } from '../../database/used-mark.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { refuse } from '../../http/server/refusal.ts'
import { addressCount } from './attempts.ts'
import { drawCaptcha } from './captcha-picture.ts'

/** Milliseconds for which a picture, and for which a challenge serves. */
const lifetime = { picture: 5 * 60_000, work: 20 * 60_000 }
/** Wrong passwords of an address that double the work asked of it, and how often that happens at most. */
const doubling = { after: 100, most: 5 }
/** What the key of a challenge begins with. */
const mark = 'work.'
/** Longest key that is looked at. */
const maxKey = 1000

/** A calculation that takes a browser a moment and checking none: find the number whose SHA-256 behind `salt` is `challenge`. */
export interface Work {
  algorithm: string
  challenge: string
  salt: string
  /** The number is smaller than this. */
  maxnumber: number
}

/**
 * Proof that an attempt costs something: a calculation, which our own pages do unasked, or a picture of letters, for clients
 * that know nothing else. Either is given back in the headers `Captcha-Key` and `Captcha-Code`, and serves once.
 */
export interface Captcha {
  /** A calculation, in the notation of ALTCHA. It costs the server no row, and the more the more its address has failed. */
  work(ip: string): Promise<{ key: string; image: ''; work: Work }>
  /** A picture as a data address. @throws input.tooOften above the limit of its address */
  picture(ip: string): Promise<{ key: string; image: string }>
  /**
   * Whether an answer is right that is yet to be given to {@link Captcha.check}: nothing is used up.
   * @returns what is of this key alone, which a calculation that has served already has as well; null for a wrong answer
   */
  holds(key: string | undefined, answer: string | undefined): Promise<string | null>
  /** Whether an answer is right. A key serves one answer; that of a picture also when it is wrong. */
  check(key: string | undefined, answer: string | undefined): Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    captcha: Captcha
  }
}

interface Signed extends Pick<Work, 'challenge' | 'salt'> {
  algorithm: 'SHA-256'
  signature: string
}

/** Letters and digits that are not easily taken for others. */
const alphabet = 'ABCDEFGHJKMNPQRTUVWXYZ2346789'
const letters = (count: number) => Array.from(randomBytes(count), byte => alphabet[byte % alphabet.length]).join('')

function readKey(key: string): Signed | null {
  try {
    const { algorithm, challenge, salt, signature } = JSON.parse(
      Buffer.from(key.slice(mark.length), 'base64url').toString('utf8'),
    )
    const isText = [challenge, salt, signature].every(one => typeof one === 'string')
    return isText && algorithm === 'SHA-256' ? { algorithm, challenge, salt, signature } : null
  } catch {
    return null
  }
}

/** Until when a challenge serves, as its signed salt says. */
const endOf = ({ salt }: Signed) => new Date(Number(new URLSearchParams(salt.split('?')[1]).get('expires')) * 1000)

/** Decorates the app with its captcha. What has served is in the database, so that any process can check it. */
export default fp(
  async app => {
    const { db } = app
    const hmacKey = `captcha ${app.secrets.get('token')}`

    const solvedWork = async (key: string, answer: string): Promise<Signed | null> => {
      const signed = readKey(key)
      if (!signed || !/^\d{1,9}$/.test(answer) || !(endOf(signed) > app.now())) return null
      return (await verifySolution({ ...signed, number: Number(answer) }, hmacKey, false)) ? signed : null
    }

    const checkWork = async (key: string, answer: string) => {
      const signed = await solvedWork(key, answer)
      return signed !== null && spendMark(app, mark + signed.challenge, endOf(signed))
    }

    const isRightFor = (row: { answer: string; until: Date } | undefined, answer: string) =>
      row !== undefined && row.until > app.now() && row.answer === answer.toLowerCase()

    const readPicture = (key: string) =>
      db.selectFrom('captcha').select(['answer', 'until']).where('key', '=', key).executeTakeFirst()

    const checkPicture = async (key: string, answer: string) => {
      const taking = db.deleteFrom('captcha').where('key', '=', key).returning(['answer', 'until'])
      // It serves once, also whoever is refused after it.
      return isRightFor(await apart(() => taking.executeTakeFirst()), answer)
    }

    /** A key and an answer that can be looked at. */
    const givenOf = (key: string | undefined, answer: string | undefined) => {
      const given = answer?.trim()
      return key && given && key.length <= maxKey ? { key, given } : null
    }

    app.decorate('captcha', {
      work: async ip => {
        const now = app.now()
        const fails = await countOf(db, addressCount(ip), now)
        const base = await readNumberParam(db, firstTenant, 'captcha.work')
        const maxnumber = base * 2 ** Math.min(doubling.most, Math.floor(fails / doubling.after))
        const expires = new Date(now.getTime() + lifetime.work)
        const { signature, ...work } = await createChallenge({ hmacKey, maxnumber, expires, algorithm: 'SHA-256' })
        const { algorithm, challenge, salt } = work
        const key = mark + Buffer.from(JSON.stringify({ algorithm, challenge, salt, signature })).toString('base64url')
        return { key, image: '', work: { algorithm, challenge, salt, maxnumber } }
      },
      picture: async ip => {
        const now = app.now()
        const most = await readNumberParam(db, firstTenant, 'limit.picture.address')
        if ((await countUp(db, `picture:${countedAddress(ip)}`, 60, now)) > most) throw refuse('input.tooOften')
        const answer = letters(5)
        const png = await drawCaptcha(answer)
        const key = randomBytes(16).toString('hex')
        const until = new Date(now.getTime() + lifetime.picture)
        await db.insertInto('captcha').values({ key, answer: answer.toLowerCase(), until }).execute()
        return { key, image: `data:image/png;base64,${png.toString('base64')}` }
      },
      holds: async (...asked) => {
        const { key, given } = givenOf(...asked) ?? { key: '', given: '' }
        if (key.startsWith(mark)) return (await solvedWork(key, given))?.challenge ?? null
        return key && isRightFor(await readPicture(key), given) ? key : null
      },
      check: async (...asked) => {
        const { key, given } = givenOf(...asked) ?? { key: '', given: '' }
        if (!key) return false
        return key.startsWith(mark) ? checkWork(key, given) : checkPicture(key, given)
      },
    })
  },
  { name: 'captcha', dependencies: ['database', 'vault'] },
)
