import type { FastifyInstance } from 'fastify'
import { commaList } from '#engine'
import { UserType } from '#schemas/dictionaries'
import type { Reader, Trx } from '../../database/database.ts'
import { readParam } from '../../database/param.ts'
import { type FactorPolicy, isRequired, plainRecoveryCode, policyOf, stepOfCode } from '../rules/second-factor.ts'
import { factorCount, proven } from './attempts.ts'
import { rolesOf } from './token-answer.ts'
import type { UserRow } from './user-row.ts'

/** Whose factor it is. */
type Owner = Pick<UserRow, 'id' | 'tenantId' | 'userType' | 'roleId'>

/** What a tenant asks of its staff. */
export const policyFor = async (db: Reader, tenantId: string): Promise<FactorPolicy> =>
  policyOf(await readParam(db, tenantId, 'login.secondFactor'))

/** What is known of the second factor of a person; undefined before the first enrolment. */
export const readFactor = (db: Reader, userId: string) =>
  db.selectFrom('second_factor').selectAll().where('userId', '=', userId).executeTakeFirst()

/** Whether the tenant leaves this person no choice. */
export async function isFactorRequired(db: Reader, user: Owner): Promise<boolean> {
  if (user.userType === UserType.candidate) return false
  const policy = await policyFor(db, user.tenantId)
  if (typeof policy === 'string') return isRequired(policy, [])
  const roles = await rolesOf(db, commaList(user.roleId))
  return isRequired(
    policy,
    roles.map(role => role.roleAlias),
  )
}

/** Whether a login of this person goes on with a code: one of the staff, with a factor, where the tenant has not switched it off. */
export async function isFactorAsked(db: Reader, user: Owner): Promise<boolean> {
  if (user.userType === UserType.candidate) return false
  const factor = await readFactor(db, user.id)
  return Boolean(factor?.secret) && (await policyFor(db, user.tenantId)) !== 'off'
}

/** Whether a person has yet to set up a factor that is required. */
export async function owesFactor(db: Reader, user: Owner): Promise<boolean> {
  if (!(await isFactorRequired(db, user))) return false
  return !(await readFactor(db, user.id))?.secret
}

/**
 * Checks a code of the app or a recovery code, which serves once. Wrong ones are counted by themselves: a right
 * password in between does not forgive them, and only who has it gets here, so that they do not delay the password
 * either.
 * @throws auth.locked while one has to wait
 */
export const provesFactor = (app: FastifyInstance, user: UserRow, typed: string): Promise<boolean> =>
  proven(app, {
    about: factorCount(user.id),
    user,
    from: undefined,
    look: () => app.db.transaction().execute(trx => spend(app, trx, user, typed.trim())),
  })

async function spend(
  { vault, now }: FastifyInstance,
  trx: Trx,
  { id, tenantId }: UserRow,
  typed: string,
): Promise<boolean> {
  if (!/^\d{3} ?\d{3}$/.test(typed)) {
    const hash = recoveryHash(vault, { id, tenantId }, typed)
    const gone = await trx.deleteFrom('recovery_code').where('userId', '=', id).where('hash', '=', hash).execute()
    return gone.some(one => one.numDeletedRows > 0n)
  }
  const factor = await trx
    .selectFrom('second_factor')
    .selectAll()
    .where('userId', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!factor?.secret) return false
  const code = typed.replace(' ', '')
  const step = stepOfCode(vault.open(factor.secret), code, now(), Number(factor.lastStep))
  if (step === null) return false
  await trx.updateTable('second_factor').set({ lastStep: step }).where('userId', '=', id).execute()
  return true
}

/** What is stored of a recovery code. */
export const recoveryHash = (
  vault: FastifyInstance['vault'],
  { id, tenantId }: Pick<UserRow, 'id' | 'tenantId'>,
  code: string,
): string => vault.hash(tenantId, `recovery ${id} ${plainRecoveryCode(code)}`)
