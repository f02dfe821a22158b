import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import fp from 'fastify-plugin'
import { sql } from 'kysely'
import pg from 'pg'
import { inRequest, RequestTransaction } from '../../database/request-transaction.ts'
import '../../database/signup-tables.ts'
import { isAfterWork, otherBody, type Refusal, refuse } from './refusal.ts'
import { type Repetition, repetitionOf } from './repetition.ts'
import { wire } from './wire.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Why the work of this call is not one transaction, and what stands for it; found by its address where it is not said. */
    repetition?: Repetition
    /** The work keeps its answer by itself where it can ({@link FastifyRequest.keptAnswer}), and reads nothing before. */
    keepsAnswer?: true
  }
  interface FastifyRequest {
    /** The answer is one that was given before: nothing was done. */
    isRepeated: boolean
    /** Commits the work of this call, while it is one transaction that is open. */
    commitWork: (() => Promise<void>) | null
    /**
     * An answer as it is kept under the key of this call; null without a key. To be stored by the statement that does the work,
     * and only while the lock of {@link keyLock} is held: where either fails, nothing may be done.
     */
    keptAnswer: ((answer: unknown) => KeptAnswer) | null
  }
}

/** How long an answer is kept, in milliseconds. */
const keep = 24 * 3600_000
/** After this long, in milliseconds, a request under lease without an answer is taken for lost and may be made again. */
const lost = 60_000
/** How long a repetition waits for the first one's answer, in milliseconds, and how often it looks. */
const patience = 5_000
const pause = 50
/** Characters of a key at most. */
const longest = 64

/** A row of `idempotency`. */
export interface KeptAnswer extends Claim {
  response: string | null
  lockedAt: Date
  expireTime: Date
}

/** Whose key it is, for what, and what was sent with it. */
interface Claim {
  userId: string
  path: string
  key: string
  bodyHash: string
}

/** Somebody who has not signed in; such keys are told apart by themselves, being random. */
const nobody = '0'

function digestOf(request: FastifyRequest): string {
  const { query, body, form } = request
  const files = form?.files.map(({ field, filename, sha256 }) => [field, filename, sha256])
  return createHash('sha256')
    .update(JSON.stringify([query, form ? form.fields : (body ?? null), files]))
    .digest('hex')
}

/** @throws input.invalid for a key that is too long */
function claimOf(request: FastifyRequest): Claim | null {
  const key = request.headers['idempotency-key']
  if (typeof key !== 'string' || key === '') return null
  if (key.length > longest) throw refuse('input.invalid', { 说明: 'Idempotency-Key不能超过64个字符' })
  const userId = request.person?.userId ?? nobody
  return { userId, path: request.routeOptions.url ?? '', key, bodyHash: digestOf(request) }
}

interface Keyed<Q> {
  where(column: 'userId' | 'path' | 'key', operator: '=', value: string): Q
}

const at = <Q extends Keyed<Q>>(query: Q, { userId, path, key }: Claim): Q =>
  query.where('userId', '=', userId).where('path', '=', path).where('key', '=', key)

type StoredAnswer = { bodyHash: string; response: string | null }

const find = (app: FastifyInstance, claim: Claim): Promise<StoredAnswer | undefined> =>
  at(app.db.selectFrom('idempotency').select(['bodyHash', 'response']), claim)
    .where('expireTime', '>', app.now())
    .executeTakeFirst()

/** An answer as it is kept: it may hold what only its receiver may read. */
const sealed = (app: FastifyInstance, answer: unknown): string => app.vault.seal(JSON.stringify(wire(answer)))

const opened = (app: FastifyInstance, text: string): unknown =>
  JSON.parse(/^v\d+:/.test(text) ? app.vault.open(text) : text)

/** Whether an answer can be given again: a file cannot. */
const isKeepable = (answer: unknown): boolean =>
  typeof answer === 'object' && answer !== null && Object.getPrototypeOf(answer) === Object.prototype

function tooSoon(reply: FastifyReply): Refusal {
  reply.header('retry-after', '1')
  return refuse('input.repeated')
}

/**
 * Gives a kept answer again.
 * @throws input.repeated when something else was sent with the key, or for one that cannot be given
 */
function giveAgain(app: FastifyInstance, request: FastifyRequest, claim: Claim, kept: StoredAnswer): unknown {
  if (kept.bodyHash !== claim.bodyHash) throw otherBody()
  if (kept.response === null) throw refuse('input.repeated')
  request.isRepeated = true
  return opened(app, kept.response)
}

/** The number of the lock of a key, as SQL over the text `<userId> <path> <key>`. */
export const keyLock = (text: string): string => `hashtextextended(${text}, 220)`

type Work = () => Promise<unknown>

/**
 * Begins the transaction and takes the key for it, in one question; whoever else has it waits until it ends.
 * @throws input.repeated after three seconds
 */
async function takeKey(client: pg.PoolClient, claim: Claim, reply: FastifyReply): Promise<void> {
  const { userId, path, key } = claim
  try {
    const [owner, address, own, now] = [userId, path, key, reply.server.now().toISOString()].map(pg.escapeLiteral)
    const name = pg.escapeLiteral(`${userId} ${path} ${key}`)
    const results = (await client.query(`BEGIN;
      SELECT pg_advisory_xact_lock(${keyLock(name)});
      SELECT 1 FROM idempotency WHERE "userId" = ${owner} AND path = ${address} AND key = ${own} AND "expireTime" > ${now}`)) as unknown
    // The first request ended while this one came: its answer is found when this one is undone.
    if ((results as pg.QueryResult[]).at(-1)?.rowCount) throw tooSoon(reply)
  } catch (error) {
    throw (error as { code?: string }).code === '55P03' ? tooSoon(reply) : error
  }
}

const keeping = `INSERT INTO idempotency ("userId", path, key, "bodyHash", response, "lockedAt", "expireTime")
  VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT ("userId", path, key) DO UPDATE
  SET "bodyHash" = excluded."bodyHash", response = excluded.response, "lockedAt" = excluded."lockedAt",
    "expireTime" = excluded."expireTime"`

function keptAnswer(app: FastifyInstance, claim: Claim, answer: unknown): KeptAnswer {
  const now = app.now()
  const response = isKeepable(answer) ? sealed(app, answer) : null
  return { ...claim, response, lockedAt: now, expireTime: new Date(now.getTime() + keep) }
}

async function keepAnswer(
  app: FastifyInstance,
  transaction: RequestTransaction,
  claim: Claim,
  answer: unknown,
): Promise<void> {
  const { userId, path, key, bodyHash, response, lockedAt, expireTime } = keptAnswer(app, claim, answer)
  await transaction.own(keeping, [userId, path, key, bodyHash, response, lockedAt, expireTime])
}

/** The work, the answer under its key, and the entry of the audit log are kept together or not at all. */
async function inOneTransaction(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
): Promise<unknown> {
  const claim = claimOf(request)
  // Work that reads nothing before it writes meets the answer of before when it takes the key.
  const before = claim && !request.routeOptions.config.keepsAnswer && (await find(app, claim))
  if (before) return giveAgain(app, request, claim, before)
  request.keptAnswer = claim && (answer => keptAnswer(app, claim, answer))
  const transaction = new RequestTransaction(app.pool, claim ? client => takeKey(client, claim, reply) : undefined)
  const commit = async (answer: unknown): Promise<void> => {
    transaction.check()
    if (claim && transaction.hasBegun) await keepAnswer(app, transaction, claim, answer)
    if (!reply.sent && reply.statusCode < 400) await app.audit.noteDone(request, reply.statusCode, answer)
    await transaction.commit()
  }
  let committed: Promise<void> | undefined
  const commitOnce = (answer?: unknown): Promise<void> => {
    committed ??= commit(answer)
    return committed
  }
  // A file is sent by the handler itself, which ends when the last byte has left: what it did is committed before the first.
  request.commitWork = commitOnce
  try {
    return await inRequest(transaction, async () => {
      const answer = await work()
      await commitOnce(answer)
      return answer
    })
  } catch (error) {
    request.commitWork = null
    if (isAfterWork(error)) {
      if (!committed) await transaction.commit()
      throw error
    }
    await transaction.rollback()
    const meanwhile = claim && (await find(app, claim))
    if (meanwhile) {
      reply.removeHeader('retry-after')
      return giveAgain(app, request, claim, meanwhile)
    }
    throw error
  }
}

/** True when this request is the first: the key is new, has expired, or its first request was lost. */
async function take(app: FastifyInstance, claim: Claim): Promise<boolean> {
  const now = app.now()
  const row = { ...claim, response: null, lockedAt: now, expireTime: new Date(now.getTime() + keep) }
  const stale = sql<boolean>`idempotency."expireTime" <= ${now} OR (idempotency.response IS NULL AND
    idempotency."bodyHash" = ${claim.bodyHash} AND idempotency."lockedAt" < ${new Date(now.getTime() - lost)})`
  const taken = await app.db
    .insertInto('idempotency')
    .values(row)
    .onConflict(on => on.columns(['userId', 'path', 'key']).doUpdateSet(row).where(stale))
    .returning('key')
    .executeTakeFirst()
  return taken !== undefined
}

/** For work that reaches beyond the database: the key is taken before it and its answer kept after it. */
async function underLease(
  app: FastifyInstance,
  request: FastifyRequest,
  reply: FastifyReply,
  work: Work,
): Promise<unknown> {
  const claim = claimOf(request)
  if (!claim) return work()
  for (let waited = 0; !(await take(app, claim)); waited += pause) {
    const first = await find(app, claim)
    if (first && (first.response !== null || first.bodyHash !== claim.bodyHash))
      return giveAgain(app, request, claim, first)
    if (waited >= patience) throw tooSoon(reply)
    await sleep(pause)
  }
  try {
    const answer = await work()
    const response = isKeepable(answer) ? sealed(app, answer) : null
    await at(app.db.updateTable('idempotency').set({ response }), claim).execute()
    return answer
  } catch (error) {
    await at(app.db.deleteFrom('idempotency'), claim).execute()
    throw error
  }
}

/** How each way of repetition does the work of a call. */
const ways = { transaction: inOneTransaction, lease: underLease }

/** Whether an exception says why it is one, and why doing the work again does no harm. */
const isExplained = (one: Repetition): boolean => one.because !== '' && (one.by === 'itself' || one.again !== '')

const isPost = ({ method }: RouteOptions): boolean => [method].flat().includes('POST')

/** Whether a call that is no POST changes something all the same, as some clients want it. */
const isChange = ({ config }: RouteOptions): boolean => config?.changes === true

const nameOf = ({ url }: { url: string }): string => `POST ${url}`

/**
 * Does every POST once per `Idempotency-Key` header, person and address: a repetition with the same body gets the first answer
 * again, at the same moment or later. A refusal is not kept, so what was corrected may be sent with the same key. With or
 * without the header, the work of a call is one transaction, unless `repetition.ts` says why it cannot be.
 */
export default fp(
  async app => {
    const seen = new Set<string>()
    const wrong: string[] = []
    app.decorateRequest('isRepeated', false)
    app.decorateRequest('commitWork', null)
    app.decorateRequest('keptAnswer', null)
    app.addHook('onSend', async (request, _reply, payload) => {
      const { commitWork } = request
      request.commitWork = null
      await commitWork?.()
      return payload
    })
    app.addHook('onRoute', route => {
      if (!isPost(route) && !isChange(route)) return
      const repetition = route.config?.repetition ?? repetitionOf(route.url)
      if (isPost(route)) seen.add(nameOf(route))
      if (repetition && !isExplained(repetition)) wrong.push(nameOf(route))
      if (repetition?.by === 'itself') return
      const { handler } = route
      const way = ways[repetition?.by ?? 'transaction']
      route.handler = function (this: FastifyInstance, request, reply) {
        return way(app, request, reply, async () => handler.call(this, request, reply))
      }
    })
    app.addHook('onReady', async () => {
      const outside = app.routeTable.filter(({ method, url }) => method === 'POST' && !seen.has(nameOf({ url })))
      const names = [...outside.map(nameOf), ...wrong]
      if (names.length === 0) return
      throw new Error(
        `These routes are outside the idempotency hook: ${names.join(', ')}. Register them after idempotency.ts, and give the reason where one is not a single transaction (config.repetition: because and, under lease, again).`,
      )
    })
  },
  { name: 'idempotency', dependencies: ['vault'] },
)
