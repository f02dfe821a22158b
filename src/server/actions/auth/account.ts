import type { FastifyInstance } from 'fastify'
import type { Selectable, Transaction } from 'kysely'
import { sql } from 'kysely'
import { demoPassword } from '../../config.ts'
import { resetCount } from '../../database/throttle.ts'
import { verifyPassword } from '../../domain/password.ts'
import { refuse } from '../../domain/refusal.ts'
import { turns, turnsByKey } from '../../domain/turns.ts'
import type { Database } from '../../plugins/database.ts'

/** A row of the user table. */
export type UserRow = Selectable<Database['user']>

/** Wrong passwords of one account within {@link windowMinutes} that lock it. */
const failLimit = 5
const windowMinutes = 15
/**
 * Minutes of a lock: longer for staff. A name that is nobody's is locked as if it were one or the other, always the same, so
 * that the length does not tell who has an account.
 */
const lockMinutes = (user: UserRow | undefined, key: string): 10 | 30 =>
  (user ? user.userType === 1 : /[0-7]$/.test(key)) ? 30 : 10

/**
 * Finds the account a person means: by its name, for candidates also by phone or ID number. The account of that name goes
 * before one that has it as its number.
 */
export async function findAccount(app: FastifyInstance, tenantId: string, name: string): Promise<UserRow | undefined> {
  const [phone, idCard] = [app.vault.hash(tenantId, name), app.vault.hash(tenantId, name.toUpperCase())]
  return app.db
    .selectFrom('user')
    .selectAll()
    .where('tenantId', '=', tenantId)
    .where('isDeleted', '=', 0)
    .where(eb =>
      eb.or([
        eb('account', '=', name),
        eb.and([eb('userType', '=', 2), eb.or([eb('phoneHash', '=', phone), eb('idCardHash', '=', idCard)])]),
      ]),
    )
    .orderBy(sql`account = ${name}`, 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Key under which the failures of an account are counted. */
export const failKey = (userId: string) => `login:${userId}`

/** Forgets the wrong passwords of accounts, wherever they came from, and opens what they have locked. */
export async function forgetFailures(trx: Trx, userIds: readonly string[]): Promise<void> {
  await resetCount(trx, userIds.map(failKey))
  await trx.updateTable('user').set({ lockUntil: null, failCount: 0 }).where('id', 'in', userIds).execute()
}

type Outcome = { is: 'right' } | { is: 'wrong' } | { is: 'locked'; minutes: number }
type Trx = Transaction<Database>

const oneByOne = turnsByKey()
const fewAtOnce = turns(4)

/** Something that one proves: under which key its failures count, whose it is, and how it is looked at. */
export interface Proof {
  key: string
  /** Undefined for an unknown account. */
  user: UserRow | undefined
  /** Called while the account is not locked, in the transaction that counts. */
  look(trx: Trx): Promise<boolean>
}

/**
 * Looks at a proof and counts failures. Attempts on one account go one after the other, in all processes, so that many sent
 * together are not more guesses than many sent in a row.
 * @returns whether it was right
 * @throws 20003 when the account is locked, also with the right proof
 */
export async function proven(app: FastifyInstance, proof: Proof): Promise<boolean> {
  const attempt = () => app.db.transaction().execute(trx => decide(trx, proof, app.now()))
  const outcome = await oneByOne(proof.key, () => fewAtOnce(attempt))
  if (outcome.is === 'locked') throw refuse(20003, { n: outcome.minutes })
  return outcome.is === 'right'
}

/**
 * Checks a password against an account.
 * @param user undefined for an unknown account, which answers the same after the same time
 * @param name what was typed, to count the failures of unknown accounts
 * @throws 20002 wrong, 20003 locked, also with the right password
 */
export async function checkPassword(
  app: FastifyInstance,
  user: UserRow | undefined,
  { tenantId, name, password }: { tenantId: string; name: string; password: string | null },
): Promise<void> {
  const key = user ? failKey(user.id) : `login:${app.vault.hash(tenantId, name)}`
  // The demo's password is printed in the documentation: elsewhere it opens nothing, whoever still has it.
  const isSecret = password !== null && (app.config.demo || password !== demoPassword)
  const look = async () => (await verifyPassword(user?.password, password ?? '')) && isSecret
  if (!(await proven(app, { key, user, look }))) throw refuse(20002)
}

async function decide(trx: Trx, { key, user, look }: Proof, now: Date): Promise<Outcome> {
  const count = await lockCounter(trx, key, now)
  const until = user ? await lockOf(trx, user.id) : count.fails >= failLimit ? count.until : null
  if (until && until > now) return { is: 'locked', minutes: Math.ceil((until.getTime() - now.getTime()) / 60_000) }
  if ((await look(trx)) && user) {
    await trx.deleteFrom('throttle').where('key', '=', key).execute()
    if (user.failCount || user.lockUntil) await setLock(trx, user.id, 0, null)
    return { is: 'right' }
  }
  await countFailure(trx, { key, user, now, fails: count.fails + 1, until: count.until })
  return { is: 'wrong' }
}

/** Reads the counter and keeps it locked until the transaction ends. */
async function lockCounter(trx: Trx, key: string, now: Date) {
  const row = await trx
    .insertInto('throttle')
    .values({ key, count: 0, until: new Date(now.getTime() + windowMinutes * 60_000) })
    .onConflict(clash => clash.column('key').doUpdateSet({ key }))
    .returning(['count', 'until'])
    .executeTakeFirstOrThrow()
  if (row.until > now) return { fails: row.count, until: row.until }
  return { fails: 0, until: new Date(now.getTime() + windowMinutes * 60_000) }
}

async function lockOf(trx: Trx, id: string): Promise<Date | null> {
  const row = await trx.selectFrom('user').select('lockUntil').where('id', '=', id).executeTakeFirst()
  return row?.lockUntil ?? null
}

const setLock = (trx: Trx, id: string, failCount: number, lockUntil: Date | null) =>
  trx.updateTable('user').set({ failCount, lockUntil }).where('id', '=', id).execute()

async function countFailure(
  trx: Trx,
  { key, user, now, fails, until }: { key: string; user: UserRow | undefined; now: Date; fails: number; until: Date },
): Promise<void> {
  const isLocked = fails >= failLimit
  const lockUntil = new Date(now.getTime() + lockMinutes(user, key) * 60_000)
  if (user) await setLock(trx, user.id, fails, isLocked ? lockUntil : null)
  // The lock of a known account stands in its row, and after it the count begins anew.
  if (user && isLocked) await trx.deleteFrom('throttle').where('key', '=', key).execute()
  else
    await trx
      .updateTable('throttle')
      .set({ count: fails, until: isLocked ? lockUntil : until })
      .where('key', '=', key)
      .execute()
}
