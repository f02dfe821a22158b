import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { person } from '../access.ts'
import '../database/signup-tables.ts'
import { refuse } from '../domain/refusal.ts'

/** How long an answer is kept, in milliseconds. */
const keep = 24 * 3600_000
/** After this long, in milliseconds, a request without an answer is taken for lost and may be made again. */
const lost = 60_000
/** How long a repetition waits for the first one's answer, in milliseconds, and how often it looks. */
const patience = 5_000
const pause = 50

interface Place {
  userId: string
  path: string
  key: string
}

/**
 * Does something once per `Idempotency-Key` header, person and route: a repetition with the same body gets the first
 * answer again, at the same moment or later. A refusal is not kept, so what was corrected may be sent with the same key.
 * Without the header it simply runs.
 * @throws 29006 for the same key with another body, or while the first is still running (with `Retry-After`)
 */
export async function once<T>(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<T>,
): Promise<T> {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return run()
  if (key.length > 64) throw refuse(29005, { 说明: 'Idempotency-Key不能超过64个字符' })
  const place = { userId: person(request).userId, path: request.routeOptions.url ?? '', key }
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(request.body ?? null))
    .digest('hex')
  for (let waited = 0; !(await claim(app, place, bodyHash)); waited += pause) {
    const first = await find(app, place)
    if (first && first.bodyHash !== bodyHash) throw refuse(29006)
    if (first?.response) return JSON.parse(first.response)
    if (waited >= patience) {
      reply.header('retry-after', '1')
      throw refuse(29006)
    }
    await sleep(pause)
  }
  return answer(app, place, run)
}

async function answer<T>(app: FastifyInstance, place: Place, run: () => Promise<T>): Promise<T> {
  try {
    const result = await run()
    await at(app.db.updateTable('idempotency').set({ response: JSON.stringify(result) }), place).execute()
    return result
  } catch (error) {
    await at(app.db.deleteFrom('idempotency'), place).execute()
    throw error
  }
}

interface Keyed<Q> {
  where(column: 'userId' | 'path' | 'key', operator: '=', value: string): Q
}

const at = <Q extends Keyed<Q>>(query: Q, { userId, path, key }: Place): Q =>
  query.where('userId', '=', userId).where('path', '=', path).where('key', '=', key)

/** True when this request is the first: the key is new, has expired, or its first request was lost. */
async function claim(app: FastifyInstance, place: Place, bodyHash: string): Promise<boolean> {
  const now = app.now()
  const row = { ...place, bodyHash, response: null, lockedAt: now, expireTime: new Date(now.getTime() + keep) }
  const stale = sql<boolean>`idempotency."expireTime" <= ${now} OR (idempotency.response IS NULL AND
    idempotency."bodyHash" = ${bodyHash} AND idempotency."lockedAt" < ${new Date(now.getTime() - lost)})`
  const taken = await app.db
    .insertInto('idempotency')
    .values(row)
    .onConflict(on => on.columns(['userId', 'path', 'key']).doUpdateSet(row).where(stale))
    .returning('key')
    .executeTakeFirst()
  if (!taken) return false
  await app.db.deleteFrom('idempotency').where('userId', '=', place.userId).where('expireTime', '<=', now).execute()
  return true
}

const find = (app: FastifyInstance, place: Place) =>
  at(app.db.selectFrom('idempotency').select(['bodyHash', 'response']), place).executeTakeFirst()
