import { randomBytes } from 'node:crypto'
import fp from 'fastify-plugin'
import '../database/auth-tables.ts'
import { countUp } from '../database/throttle.ts'
import { refuse } from '../domain/refusal.ts'

const lifetime = 5 * 60_000
const perMinute = 20

/** Pictures of letters that a person reads and a machine reads badly. */
export interface Captcha {
  /** A new picture as a data address. @throws 29007 after 20 in a minute from one address */
  make(ip: string): Promise<{ key: string; image: string }>
  /** Whether an answer is right. A picture serves one answer, right or wrong. */
  check(key: string | undefined, answer: string | undefined): Promise<boolean>
}

declare module 'fastify' {
  interface FastifyInstance {
    captcha: Captcha
  }
}

/** Decorates the app with its captcha. The answers lie in the database, so that any process can check them. */
export default fp(
  async app => {
    app.decorate('captcha', {
      make: async ip => {
        const now = app.now()
        if ((await countUp(app.db, `captcha:${ip}`, 60, now)) > perMinute) throw refuse(29007)
        // It parses a whole font: not before the first picture.
        const { default: svgCaptcha } = await import('svg-captcha')
        const { text, data } = svgCaptcha.create({ size: 5, noise: 2, ignoreChars: '0oO1iIlL', width: 130, height: 48 })
        const key = randomBytes(16).toString('hex')
        const until = new Date(now.getTime() + lifetime)
        await app.db.insertInto('captcha').values({ key, answer: text.toLowerCase(), until }).execute()
        return { key, image: `data:image/svg+xml;base64,${Buffer.from(data).toString('base64')}` }
      },
      check: async (key, answer) => {
        const given = answer?.trim().toLowerCase()
        if (!key || !given) return false
        const row = await app.db
          .deleteFrom('captcha')
          .where('key', '=', key)
          .returning(['answer', 'until'])
          .executeTakeFirst()
        return row !== undefined && row.until > app.now() && row.answer === given
      },
    })
  },
  { name: 'captcha', dependencies: ['database'] },
)
