import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { demoPassword } from '../../config/config.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { verifyPassword } from '../../vault/password.ts'

/** Row of the table `migration` that says that the demonstration's data are here. */
export const demoMark = 'demo-seed'
/** What stands in that row after the installation has been made one for use. */
export const demoLeft = 'left'

/** The first administrator's account. */
export const firstAdministrator = 'admin'

/** Accounts of the demonstration that have a password hash of their own. */
const demoNames = [firstAdministrator, 'kaowu', 'kaosheng']

/** An account that anybody can open, because its password is printed in the documentation. */
export interface KnownAccount {
  id: string
  tenantId: string
  account: string
}

/**
 * Finds the accounts of all tenants that have the password of the demonstration. Only hashes that several accounts share, and
 * those of the demonstration's own accounts, are looked at: a password that somebody chose has a hash of its own, and the login
 * refuses the demonstration's password outside the demo, whoever has it.
 */
export async function knownAccounts(db: FastifyInstance['db']): Promise<KnownAccount[]> {
  const { rows } = await sql<{ password: string; people: KnownAccount[] }>`
    SELECT password, json_agg(json_build_object('id', id::text, 'tenantId', "tenantId", 'account', account) ORDER BY id) AS people
    FROM "user" WHERE password IS NOT NULL AND password <> '' AND "isDeleted" = 0
    GROUP BY password HAVING count(*) > 1 OR bool_or(account IN (${sql.join(demoNames)}))`.execute(db)
  const found = await Promise.all(
    rows.map(async ({ password, people }) => ((await verifyPassword(password, demoPassword)) ? people : [])),
  )
  return found.flat().sort((a, b) => a.id.length - b.id.length || a.id.localeCompare(b.id))
}

/**
 * Outside the demo nothing starts while an account opens with the demo's password.
 * @throws with the accounts and the command that helps
 */
export async function refuseKnownPasswords({ db, config }: Pick<FastifyInstance, 'db' | 'config'>): Promise<void> {
  if (config.demo) return
  const known = await knownAccounts(db)
  if (known.length === 0) return
  const names = known.slice(0, 6).map(one => one.account)
  const more = known.length > names.length ? ` and ${known.length - names.length} more` : ''
  throw new Error(
    [
      `This installation began as a demo: ${names.join(', ')}${more} still open with the demo's password. Run one of`,
      '  npm run leave-demo -- lock          keeps all data, disables these accounts and gives admin a new password',
      '  npm run leave-demo -- clear --yes   deletes everything, so that the next start makes a new installation',
      'with the same variables as this start, or start with DEMO=true.',
    ].join('\n'),
  )
}

/** Says that `ADMIN_PASSWORD` does nothing, where the administrator already has another password. */
export async function tellIgnoredPassword(
  { db, config }: Pick<FastifyInstance, 'db' | 'config'>,
  tell: (line: string) => void,
): Promise<void> {
  if (!config.adminPassword) return
  const admin = await db
    .selectFrom('user')
    .select('password')
    .where('tenantId', '=', firstTenant)
    .where('account', '=', firstAdministrator)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (admin && (await verifyPassword(admin.password, config.adminPassword))) return
  tell(
    `ADMIN_PASSWORD is ignored: the installation has its accounts already. "npm run password -- ${firstAdministrator}" gives ${firstAdministrator} a new password.`,
  )
}
