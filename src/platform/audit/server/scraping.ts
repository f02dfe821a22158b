import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { UserType } from '#schemas/dictionaries'
import '../../database/auth-tables.ts'
import { batchQueries } from '../../database/batch-queries.ts'
import { refuse } from '../../http/server/refusal.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A list that candidates may read, but not copy by asking again and again: of all such lists together a few in a minute. */
    scraped?: true
  }
}

/** Lists one candidate may ask for in a minute. No page of ours asks for more than a few when it opens. */
const perMinute = 60

/** How often somebody has asked in the running minute, and when that ends. */
interface Count {
  key: string
  count: number
  until: Date
}

const countQuery = `
INSERT INTO throttle AS t (key, count, until) SELECT key, n, $3 FROM unnest($1::text[], $2::int[]) AS new (key, n) ORDER BY key
ON CONFLICT (key) DO UPDATE SET count = CASE WHEN t.until <= $4 THEN excluded.count ELSE t.count + excluded.count END,
  until = CASE WHEN t.until <= $4 THEN excluded.until ELSE t.until END
RETURNING key, count, until`

/** Counts requests, those of the same moment in one statement. */
function counter(app: FastifyInstance) {
  return batchQueries<string, Count | undefined>(async users => {
    const now = app.now()
    const keys = [...new Set(users)]
    const times = keys.map(key => users.filter(one => one === key).length)
    const values = [keys.map(key => `scrape:${key}`), times, new Date(now.getTime() + 60_000), now]
    const { rows } = await app.pool.query<Count>({ name: 'scrape', text: countQuery, values })
    const counts = new Map(rows.map(row => [row.key, row]))
    return users.map(key => counts.get(`scrape:${key}`))
  })
}

/**
 * Keeps candidates from copying lists: 60 in a minute, however many processes they ask (input.tooOften, with
 * `Retry-After`).
 */
export default fp(
  async app => {
    const count = counter(app)
    app.addHook('onRequest', async ({ person, routeOptions }, reply) => {
      if (person?.userType !== UserType.candidate || routeOptions.config.scraped !== true) return
      const asked = await count(person.userId)
      if (!asked || asked.count <= perMinute) return
      reply.header('retry-after', String(Math.max(1, Math.ceil((asked.until.getTime() - app.now().getTime()) / 1000))))
      throw refuse('input.tooOften')
    })
  },
  { name: 'scraping', dependencies: ['auth', 'permissions', 'envelope'] },
)
