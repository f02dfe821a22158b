import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { UserType } from '#schemas/dictionaries'
import { User } from '#schemas/system/user'
import { columnsOf } from '../../../crud/table.ts'
import { demoPassword } from '../../config/config.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import type { LiveDatabase } from '../../database/live.ts'
import { often } from '../../database/often.ts'
import { numberFrom, storedParam } from '../../database/param.ts'
import { runningCount } from '../../database/throttle.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs, liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { verifyPassword } from '../../vault/password.ts'
import { tokenHash } from '../rules/session.ts'
import { type Proof, passwordCount, proven } from './attempts.ts'
import { deviceName } from './device.ts'
import type { Standing } from './standing.ts'
import type { UserRow } from './user-row.ts'

/** What is known of an attempt to sign in before anything is worked on. */
export interface Known {
  /** The account that is meant. */
  user: UserRow | undefined
  /** Wrong passwords of the address in the running period. */
  fails: number
  /** The name under which the attempts of this device are counted; null where it has not signed in to the account before. */
  device: string | null
  /** Whether the tenant is active; undefined where there is none. */
  tenant: Standing | undefined
  /** Wrong passwords of strangers to the account, together, that cost no wait. */
  freeTries: number
}

/** What is given of an attempt to sign in. */
export interface Attempted {
  tenantId: string
  /** The name that was typed. */
  name: string
  /** Under what the wrong passwords of the address are counted. */
  addressCount: string
  /** What the browser holds that signed in here before. */
  device: string
}

/** The columns of an account, by name: a statement that is prepared says what it answers. */
const accountColumns = Object.keys(columnsOf(User)).map(name => `user.${name as keyof LiveDatabase['user']}` as const)

/**
 * Finds the account a person means, by its name, for candidates also by phone or ID number; and what decides on the attempt beside
 * it. The account of that name goes before one that has it as its number. It is one statement, which takes as long for accounts that
 * there are as for others.
 */
export async function findAccount(app: FastifyInstance, { tenantId, name, ...from }: Attempted): Promise<Known> {
  const now = app.now()
  const [phone, idCard] = [app.vault.hash(tenantId, name), app.vault.hash(tenantId, name.toUpperCase())]
  const deviceHash = tokenHash(from.device)
  const { fails, knownDevice, isThere, tenantStatus, tenantUntil, tries, ...row } = await liveIn(app, tenantId)
    .selectFrom(sql<{ one: number }>`(SELECT 1 AS one)`.as('attempt'))
    .leftJoin('user', join =>
      join.on(eb =>
        eb.or([
          eb('user.account', '=', name),
          eb.and([
            eb('user.userType', '=', UserType.candidate),
            eb.or([eb('user.phoneHash', '=', phone), eb('user.idCardHash', '=', idCard)]),
          ]),
        ]),
      ),
    )
    .leftJoin('tenant', join => join.on('tenant.tenantId', '=', tenantId))
    .select(accountColumns)
    .select(({ selectFrom }) => [
      sql<boolean>`"user".id IS NOT NULL`.as('isThere'),
      'tenant.tenantStatus',
      'tenant.expireTime as tenantUntil',
      runningCount(from.addressCount, now).as('fails'),
      storedParam(firstTenant, 'limit.login.account').as('tries'),
      selectFrom('known_device')
        .select('known_device.hash')
        .where('known_device.hash', '=', deviceHash)
        .whereRef('known_device.userId', '=', 'user.id')
        .where('known_device.until', '>', now)
        .as('knownDevice'),
    ])
    .orderBy(sql`"user".account = ${name}`, order => order.desc().nullsLast())
    .limit(1)
    .modifyEnd(often)
    .executeTakeFirstOrThrow()
  return {
    // All its columns are there when its id is.
    user: isThere ? ({ ...row, tenantId } as UserRow) : undefined,
    fails: fails ?? 0,
    device: knownDevice && deviceName(knownDevice),
    freeTries: numberFrom('limit.login.account', tries),
    tenant: tenantStatus === null ? undefined : { tenantStatus, expireTime: tenantUntil },
  }
}

/** The account of somebody who is signed in. */
export async function readSelf(app: FastifyInstance, person: Person): Promise<UserRow> {
  const { userId, tenantId } = person
  const query = liveAs(app, person).selectFrom('user').selectAll().where('id', '=', userId)
  return { ...(await query.executeTakeFirstOrThrow()), tenantId }
}

/**
 * Checks a password against an account.
 * @param user undefined for an unknown account, which answers the same after the same time
 * @param name what was typed, to count the failures of unknown accounts
 * @param from where the attempt comes from
 * @returns the counts that whoever is right is to be forgiven
 * @throws auth.credentialsWrong wrong, auth.locked while one has to wait, also with the right password
 */
export async function checkPassword(
  app: FastifyInstance,
  user: UserRow | undefined,
  { tenantId, name, password, from }: { tenantId: string; name: string; password: string | null; from: Proof['from'] },
): Promise<readonly string[]> {
  const about = user ? passwordCount(user.id) : `login:${app.vault.hash(tenantId, name)}`
  // The demo's password is printed in the documentation: elsewhere it opens nothing, whoever still has it.
  const isSecret = password !== null && (app.config.demo || password !== demoPassword)
  const look = async () => (await verifyPassword(user?.password, password ?? '')) && isSecret
  let counts: readonly string[] = []
  const forgiveLater = (keys: readonly string[]) => {
    counts = keys
  }
  if (!(await proven(app, { about, user, from, look, forgiveLater }))) throw refuse('auth.credentialsWrong')
  return counts
}
