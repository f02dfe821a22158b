import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Trx } from '../../database/database.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { readNumberParam } from '../../database/param.ts'
import { apart } from '../../database/request-transaction.ts'
import { refuse } from '../../http/server/refusal.ts'
import { limitConcurrency, limitConcurrencyByKey } from '../../queue/limit-concurrency.ts'
import type { UserRow } from './user-row.ts'

/** Wrong proofs that cost no wait. */
const freeTries = 4
/** Longest wait in minutes: it doubles from one minute with every wrong proof. */
const longestWait = 30
/** Hours after the last wrong proof in which a count is remembered. */
const memory = 24

/** Something of which wrong proofs are counted. */
interface Counter {
  key: string
  /** Wrong proofs that cost no wait. */
  free: number
}

const oneByOne = limitConcurrencyByKey()
const fewAtOnce = limitConcurrency(4)

/** Something that one proves: whose it is, where the attempt comes from, and how it is looked at. */
export interface Proof {
  /** What the counts of this proof begin with: the account and what is proved. */
  about: string
  /** Undefined for an unknown account. */
  user: UserRow | undefined
  /**
   * The network address, or a device that has signed in to this account before. Undefined where only the account counts,
   * because whoever gets here has proved something already.
   */
  from: { address: string; device: string | null } | undefined
  /** Called while nothing has to be waited for, in the transaction that counts. */
  look(trx: Trx): Promise<boolean>
}

/**
 * The counts that a proof is subject to. A device that is known for the account has a count of its own. Strangers are counted
 * by account and address, and all strangers of an account together: that ends guessing from many addresses, and delays
 * nobody who comes from a known device.
 */
async function countersOf(app: FastifyInstance, { about, from }: Proof): Promise<Counter[]> {
  if (!from) return [{ key: `${about}:*`, free: freeTries }]
  if (from.device) return [{ key: `${about}:d${from.device}`, free: freeTries }]
  const free = await readNumberParam(app.db, firstTenant, 'limit.login.account')
  return [
    { key: `${about}:*`, free },
    { key: `${about}:@${from.address}`, free: freeTries },
  ]
}

/** Whether somebody may never be kept out by the wrong passwords of many addresses: who administers the installation or a tenant. */
async function isAdministrator(trx: Trx, user: UserRow | undefined): Promise<boolean> {
  if (!user?.roleId) return false
  const row = await trx
    .selectFrom('role')
    .select('id')
    .where('id', 'in', user.roleId.split(','))
    .where('roleAlias', 'in', ['administrator', 'admin'])
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return row !== undefined
}

type Outcome = { is: 'right' } | { is: 'wrong' } | { is: 'waiting'; minutes: number }

/**
 * Looks at a proof and counts failures. Attempts on one account go one after the other, in all processes, so that many
 * sent together are not more guesses than many sent in a row.
 * @returns whether it was right
 * @throws auth.locked while one has to wait, also with the right proof
 */
export async function proven(app: FastifyInstance, proof: Proof): Promise<boolean> {
  const counters = await countersOf(app, proof)
  const work = (trx: Trx) => decide(trx, proof, { counters, now: app.now() })
  // A failure is counted, although the request is refused for it.
  const attempt = () => apart(() => app.db.transaction().execute(work))
  const outcome = await oneByOne(proof.about, () => fewAtOnce(attempt))
  if (outcome.is === 'waiting') throw refuse('auth.locked', { n: outcome.minutes })
  return outcome.is === 'right'
}

interface Round {
  counters: readonly Counter[]
  now: Date
}

async function decide(trx: Trx, { user, look, from }: Proof, { counters, now }: Round): Promise<Outcome> {
  const counted = []
  // Always in the same order, so that two attempts never wait for each other.
  for (const counter of counters) counted.push({ ...counter, ...(await lockCount(trx, counter.key, now)) })
  let waiting = counted.filter(one => one.waitUntil && one.waitUntil > now)
  const isShared = (one: { key: string }) => from !== undefined && one.key.endsWith(':*')
  if (waiting.some(isShared) && (await isAdministrator(trx, user))) waiting = waiting.filter(one => !isShared(one))
  const until = Math.max(...waiting.map(one => one.waitUntil?.getTime() ?? 0))
  if (waiting.length > 0) return { is: 'waiting', minutes: Math.ceil((until - now.getTime()) / 60_000) }
  if ((await look(trx)) && user) {
    const keys = counted.map(one => one.key)
    await trx.deleteFrom('throttle').where('key', 'in', keys).execute()
    if (user.failCount || user.lockUntil) await showLock(trx, user.id, { failCount: 0, lockUntil: null })
    return { is: 'right' }
  }
  let lockUntil: Date | null = null
  for (const one of counted) {
    const fails = one.fails + 1
    const waitUntil = waitAfter(fails, one.free, now)
    if (waitUntil && (!lockUntil || waitUntil > lockUntil)) lockUntil = waitUntil
    const until = new Date(now.getTime() + memory * 3_600_000)
    await trx.updateTable('throttle').set({ count: fails, until, waitUntil }).where('key', '=', one.key).execute()
  }
  const failCount = Math.max(...counted.map(one => one.fails)) + 1
  if (user) await showLock(trx, user.id, { failCount, lockUntil })
  return { is: 'wrong' }
}

/** Until when one waits after so many wrong proofs; null for not at all. */
function waitAfter(fails: number, free: number, now: Date): Date | null {
  if (fails <= free) return null
  const minutes = Math.min(longestWait, 2 ** Math.min(10, fails - free - 1))
  return new Date(now.getTime() + minutes * 60_000)
}

/** Reads a count and keeps it locked until the transaction ends. */
async function lockCount(trx: Trx, key: string, now: Date) {
  const until = new Date(now.getTime() + memory * 3_600_000)
  const row = await trx
    .insertInto('throttle')
    .values({ key, count: 0, until })
    .onConflict(clash => clash.column('key').doUpdateSet({ key }))
    .returning(['count', 'until', 'waitUntil'])
    .executeTakeFirstOrThrow()
  return row.until > now ? { fails: row.count, waitUntil: row.waitUntil } : { fails: 0, waitUntil: null }
}

/** What the console shows of the last attempts on an account; it decides nothing. */
const showLock = (trx: Trx, id: string, shown: { failCount: number; lockUntil: Date | null }) =>
  trx.updateTable('user').set(shown).where('id', '=', id).execute()

/** What the counts of an account's password begin with. */
export const passwordCount = (userId: string) => `login:${userId}`
/** What the count of an account's second factor begins with. */
export const factorCount = (userId: string) => `factor:${userId}`

/**
 * Forgets the wrong proofs of accounts, wherever they came from.
 * @returns the accounts of which some had to wait
 */
export async function forgetFailures(trx: Trx, userIds: readonly string[], now: Date): Promise<string[]> {
  if (userIds.length === 0) return []
  const { rows } = await sql<{ key: string; waitUntil: Date | null }>`
    DELETE FROM throttle WHERE key ~ '^(login|factor):[0-9]+:' AND split_part(key, ':', 2) IN (${sql.join(userIds)})
    RETURNING key, "waitUntil"`.execute(trx)
  await trx.updateTable('user').set({ lockUntil: null, failCount: 0 }).where('id', 'in', userIds).execute()
  const waiting = rows.filter(row => row.waitUntil && row.waitUntil > now).map(row => row.key.split(':')[1])
  return userIds.filter(id => waiting.includes(id))
}
