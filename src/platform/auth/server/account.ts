import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { UserType } from '#schemas/dictionaries'
import { demoPassword } from '../../config/config.ts'
import type { Person } from '../../http/server/access.ts'
import { liveAs, liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { verifyPassword } from '../../vault/password.ts'
import { type Proof, passwordCount, proven } from './attempts.ts'
import type { UserRow } from './user-row.ts'

/**
 * Finds the account a person means: by its name, for candidates also by phone or ID number. The account of that name goes
 * before one that has it as its number.
 */
export async function findAccount(app: FastifyInstance, tenantId: string, name: string): Promise<UserRow | undefined> {
  const [phone, idCard] = [app.vault.hash(tenantId, name), app.vault.hash(tenantId, name.toUpperCase())]
  const row = await liveIn(app, tenantId)
    .selectFrom('user')
    .selectAll()
    .where(eb =>
      eb.or([
        eb('account', '=', name),
        eb.and([
          eb('userType', '=', UserType.candidate),
          eb.or([eb('phoneHash', '=', phone), eb('idCardHash', '=', idCard)]),
        ]),
      ]),
    )
    .orderBy(sql`account = ${name}`, 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && { ...row, tenantId }
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
 * @throws auth.credentialsWrong wrong, auth.locked while one has to wait, also with the right password
 */
export async function checkPassword(
  app: FastifyInstance,
  user: UserRow | undefined,
  { tenantId, name, password, from }: { tenantId: string; name: string; password: string | null; from: Proof['from'] },
): Promise<void> {
  const about = user ? passwordCount(user.id) : `login:${app.vault.hash(tenantId, name)}`
  // The demo's password is printed in the documentation: elsewhere it opens nothing, whoever still has it.
  const isSecret = password !== null && (app.config.demo || password !== demoPassword)
  const look = async () => (await verifyPassword(user?.password, password ?? '')) && isSecret
  if (!(await proven(app, { about, user, from, look }))) throw refuse('auth.credentialsWrong')
}
