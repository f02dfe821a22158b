import type { FastifyInstance } from 'fastify'
import { UserType } from '#schemas/dictionaries'
import type { Trx } from '../../database/database.ts'
import { readParam } from '../../database/param.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { factorUri, newFactorSecret, newRecoveryCodes, stepOfCode } from '../rules/second-factor.ts'
import { readSelf } from './account.ts'
import { isFactorRequired, policyFor, provesFactor, readFactor, recoveryHash } from './factor.ts'
import { confirmPassword, type SentPassword } from './second-password.ts'
import type { UserRow } from './user-row.ts'

/** What proves that a signed-in person is the one whose account it is: the own password, and a code once there is a factor. */
export interface FactorProof extends SentPassword {
  value?: string
}

/** What a person may know of the own second factor. */
export async function factorState(app: FastifyInstance, person: Person) {
  const { db } = app
  const user = await readSelf(app, person)
  const factor = await readFactor(db, user.id)
  const left = await db
    .selectFrom('recovery_code')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('userId', '=', user.id)
    .executeTakeFirstOrThrow()
  return {
    isOffered: user.userType !== UserType.candidate && (await policyFor(db, user.tenantId)) !== 'off',
    isRequired: await isFactorRequired(db, user),
    isEnrolled: Boolean(factor?.secret),
    recoveryLeft: Number(left.n),
  }
}

/**
 * @throws auth.credentialsWrong wrong password, auth.secondFactorWrong wrong code of the present factor, auth.locked
 * locked, input.tooOften
 */
async function prove(app: FastifyInstance, person: Person, { value = '', ...sent }: FactorProof): Promise<UserRow> {
  await confirmPassword(app, person, sent)
  const user = await readSelf(app, person)
  const isSet = Boolean((await readFactor(app.db, user.id))?.secret)
  if (isSet && !(await provesFactor(app, user, value))) throw refuse('auth.secondFactorWrong')
  return user
}

/**
 * Begins to set up a factor, the first or another one. It counts from {@link confirmFactor} on; until then the present
 * one holds.
 * @returns the secret to type, and the same as an address to photograph
 * @throws row.wrongState for candidates and where the tenant has switched it off, and as {@link prove}
 */
export async function beginFactor(app: FastifyInstance, person: Person, proof: FactorProof) {
  if (!(await factorState(app, person)).isOffered) throw refuse('row.wrongState')
  const user = await prove(app, person, proof)
  const secret = newFactorSecret()
  const pending = app.vault.seal(secret)
  await app.db
    .insertInto('second_factor')
    .values({ userId: user.id, pending, secret: null, confirmTime: null })
    .onConflict(clash => clash.column('userId').doUpdateSet({ pending }))
    .execute()
  const issuer = await readParam(liveAs(app, person), 'site.title')
  return { secret, uri: factorUri(secret, user.account, issuer) }
}

/**
 * Sets the factor up by a first code of the app.
 * @returns ten recovery codes, shown this once
 * @throws auth.secondFactorWrong for a wrong code, row.wrongState when nothing was begun
 */
export async function confirmFactor(app: FastifyInstance, person: Person, value: string) {
  const user = await readSelf(app, person)
  return app.db.transaction().execute(async trx => {
    const factor = await trx
      .selectFrom('second_factor')
      .selectAll()
      .where('userId', '=', user.id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (!factor?.pending) throw refuse('row.wrongState')
    const step = stepOfCode(app.vault.open(factor.pending), value.replaceAll(' ', ''), app.now(), 0)
    if (step === null) throw refuse('auth.secondFactorWrong')
    const set = { secret: factor.pending, pending: null, lastStep: step, confirmTime: app.now() }
    await trx.updateTable('second_factor').set(set).where('userId', '=', user.id).execute()
    await trx.updateTable('session').set({ mustEnrol: false }).where('userId', '=', user.id).execute()
    return { recoveryCodes: await renewRecovery(app, trx, user) }
  })
}

async function renewRecovery({ vault }: FastifyInstance, trx: Trx, user: UserRow): Promise<string[]> {
  const codes = newRecoveryCodes()
  const rows = codes.map(code => ({ userId: user.id, hash: recoveryHash(vault, user, code) }))
  await trx.deleteFrom('recovery_code').where('userId', '=', user.id).execute()
  await trx.insertInto('recovery_code').values(rows).execute()
  return codes
}

/** Takes one's own factor away. @throws row.wrongState when the tenant demands one, and as {@link prove} */
export async function removeFactor(app: FastifyInstance, person: Person, proof: FactorProof): Promise<void> {
  if ((await factorState(app, person)).isRequired) throw refuse('row.wrongState')
  await prove(app, person, proof)
  await app.db.transaction().execute(trx => dropFactors(trx, [person.userId]))
}

/** Takes the factors of people away, with their recovery codes and whatever login is half done. */
export async function dropFactors(trx: Trx, userIds: readonly string[]): Promise<void> {
  if (userIds.length === 0) return
  for (const table of ['second_factor', 'recovery_code', 'login_ticket'] as const)
    await trx.deleteFrom(table).where('userId', 'in', userIds).execute()
}
