import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { commaList } from '#engine'
import type { Trx } from '../../database/database.ts'
import { often } from '../../database/often.ts'
import { apart } from '../../database/request-transaction.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { limitConcurrencyByKey } from '../../queue/limit-concurrency.ts'
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

/** Something that one proves: whose it is, where the attempt comes from, and how it is looked at. */
export interface Proof {
  /** What the counts of this proof begin with: the account and what is proved. */
  about: string
  /** Undefined for an unknown account. */
  user: UserRow | undefined
  /**
   * The network address, or a device that has signed in to this account before. Undefined where only the account counts,
   * because whoever gets here has proved something already. `freeTries` are those of all strangers together that cost no wait.
   */
  from: { address: string; device: string | null; freeTries: number } | undefined
  /** Called while nothing has to be waited for, when the attempt is counted. */
  look(): Promise<boolean>
  /** Takes over the removal of the counts after a right proof, with what it does anyway ({@link isForgiven}); else they are removed at once. */
  forgiveLater?(counts: readonly string[]): void
}

/**
 * The counts that a proof is subject to. A device that is known for the account has a count of its own. Strangers are counted
 * by account and address, and all strangers of an account together: that ends guessing from many addresses, and delays
 * nobody who comes from a known device.
 */
function countersOf({ about, from }: Proof): Counter[] {
  if (!from) return [{ key: `${about}:*`, free: freeTries }]
  if (from.device) return [{ key: `${about}:d${from.device}`, free: freeTries }]
  return [
    { key: `${about}:*`, free: from.freeTries },
    { key: `${about}:@${from.address}`, free: freeTries },
  ]
}

/** What the database says of an attempt that is about to be made. */
interface Counted {
  /** Until when one has to wait; null when the attempt is counted. */
  waits: Date | null
  /** Attempts so far, with this one. */
  fails: number
  /** Until when the next has to wait if this one is wrong. */
  locked: Date | null
}

/** Asks the database to count an attempt. @param spared the count that administrators are never kept out by */
async function countIn(
  { db, now }: FastifyInstance,
  counters: readonly Counter[],
  spared: string | null,
  roles: readonly string[],
) {
  const keys = counters.map(one => one.key)
  const { rows } =
    await sql<Counted>`SELECT waits, fails, locked FROM count_attempt(${keys}::text[], ${counters.map(one => one.free)}::integer[],
    ${spared}::text, ${roles}::bigint[], ${now()}::timestamptz, make_interval(hours => ${memory}), ${longestWait}::integer) ${often}`.execute(
      db,
    )
  return { keys, ...rows[0]! }
}

/** Counts an attempt as a wrong one; whoever administers the installation or a tenant is never kept out by many addresses. */
function countAttempt(app: FastifyInstance, { user, from }: Proof, counters: readonly Counter[]) {
  const spared = from ? (counters.find(({ key }) => key.endsWith(':*'))?.key ?? null) : null
  return countIn(app, counters, spared, commaList(user?.roleId))
}

/**
 * Looks at a proof and counts failures. An attempt counts as a failure until it was right, so that many sent together are not more
 * guesses than many sent in a row, in whatever processes; those of one process on one account go one after the other, so that people
 * who sign in twice at the same moment do not count as guessing.
 * @returns whether it was right
 * @throws auth.locked while one has to wait, also with the right proof
 */
export async function proven(app: FastifyInstance, proof: Proof): Promise<boolean> {
  const counters = countersOf(proof)
  // A failure is counted, although the request is refused for it.
  return oneByOne(proof.about, () => apart(() => decide(app, proof, counters)))
}

async function decide(app: FastifyInstance, proof: Proof, counters: readonly Counter[]): Promise<boolean> {
  const { user, look, forgiveLater } = proof
  const { keys, waits, fails, locked } = await countAttempt(app, proof, counters)
  const right = async () => {
    try {
      return await look()
    } catch (error) {
      // Nobody knows whether it was wrong.
      await takeBack(app, keys)
      throw error
    }
  }
  if (waits) throw refuse('auth.locked', { n: minutesTo(app, waits) })
  if ((await right()) && user) {
    if (forgiveLater) forgiveLater(keys)
    else await forgive(app, keys, user)
    return true
  }
  if (user) await showLock(app, user.id, { failCount: fails, lockUntil: locked })
  return false
}

/** Minutes until an instant, begun ones counted whole. */
const minutesTo = (app: FastifyInstance, until: Date) => Math.ceil((until.getTime() - app.now().getTime()) / 60_000)

/**
 * Looks something up by a number that only its owner knows. Wrong numbers slow down the address that they come from as wrong passwords
 * do; nobody else waits for them.
 * @param about what is looked up
 * @param look finds it; undefined for a wrong number
 * @throws auth.locked while the address has to wait, also with the right number
 */
export function foundByGuess<T>(
  app: FastifyInstance,
  about: string,
  ip: string,
  look: () => Promise<T | undefined>,
): Promise<T | undefined> {
  const key = `${about}:@${countedAddress(ip)}`
  // A failure is counted, although the request is refused for it.
  return oneByOne(key, () =>
    apart(async () => {
      const { waits } = await countIn(app, [{ key, free: freeTries }], null, [])
      if (waits) throw refuseSaying('auth.locked', `编号错误次数过多，请${minutesTo(app, waits)}分钟后再试`)
      const found = await look()
      if (found !== undefined) await takeBack(app, [key])
      return found
    }),
  )
}

/** The rows of counts, locked in the order in which attempts are counted. */
const counted = (keys: readonly string[]) =>
  sql`SELECT key FROM throttle WHERE key = ANY(${keys}::text[]) ORDER BY array_position(${keys}::text[], key) FOR NO KEY UPDATE`

/** Counts an attempt no more. It was counted because nobody had to wait, so nobody has to now. */
async function takeBack({ db }: FastifyInstance, keys: readonly string[]): Promise<void> {
  await sql`WITH held AS (${counted(keys)}) UPDATE throttle t SET count = greatest(t.count - 1, 0), "waitUntil" = NULL
    FROM held WHERE t.key = held.key`.execute(db)
}

/** The counts of whoever was right, as a condition on `throttle`: they are locked before they are removed. */
export const isForgiven = (keys: readonly string[]) => sql<boolean>`key = ANY (ARRAY(${counted(keys)}))`

/** Removes the counts of whoever was right. */
export async function forgive(app: FastifyInstance, keys: readonly string[], user: UserRow): Promise<void> {
  await app.db.deleteFrom('throttle').where(isForgiven(keys)).modifyEnd(often).execute()
  if (user.failCount || user.lockUntil) await showLock(app, user.id, { failCount: 0, lockUntil: null })
}

/** What the console shows of the last attempts on an account; it decides nothing. */
const showLock = ({ db }: FastifyInstance, id: string, shown: { failCount: number; lockUntil: Date | null }) =>
  db.updateTable('user').set(shown).where('id', '=', id).execute()

/** Under what the wrong passwords of an address are counted. */
export const addressCount = (ip: string) => `login-ip:${countedAddress(ip)}`
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
