import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { dictionaries } from '#schemas'
import { parameters } from '#schemas/parameters'
import '../../../database/auth-tables.ts'
import { seedAdministrator, tellAdministrator } from './administrator.ts'
import { seedClients } from './clients.ts'
import { seedDictionaries } from './dictionaries.ts'
import { seedMenus } from './grants.ts'
import { menus } from './menus.ts'
import './module-seed.ts'
import { seedParams } from './params.ts'
import { seedPresetGrants } from './preset-grants.ts'
import { seedRegions } from './regions.ts'
import { roles, seedRoles } from './roles.ts'
import { seedTenant } from './tenant.ts'

const seedLock = 811_000_003
const mark = 'base-seed'

const steps = [
  seedTenant,
  seedClients,
  seedDictionaries,
  seedRoles,
  seedMenus,
  seedPresetGrants,
  seedRegions,
  seedParams,
]

/**
 * Fills a database with what the program needs to be used at all: tenant, clients, dictionaries, roles, menus, regions,
 * parameters, what modules give, and the first administrator. Only what is missing is added, so it may run at every start;
 * nothing happens when the definitions are those of the last run. Processes that start together wait for one another.
 */
export async function seedBase(
  app: Pick<FastifyInstance, 'db' | 'config' | 'vault' | 'now' | 'log' | 'extensions'>,
): Promise<void> {
  const { seeds } = app.extensions
  const hash = createHash('sha256')
    .update(JSON.stringify([dictionaries, menus, roles, parameters, ...seeds.map(one => one.source)]))
    .digest('hex')
  const done = app.db.selectFrom('migration').select('hash').where('name', '=', mark)
  if ((await done.executeTakeFirst())?.hash === hash) return
  const made = await app.db.transaction().execute(async trx => {
    await sql`SET LOCAL lock_timeout = 0`.execute(trx)
    await sql`SELECT pg_advisory_xact_lock(${seedLock})`.execute(trx)
    for (const step of [...steps, ...seeds.map(one => one.installation)]) await step({ app, trx, now: app.now() })
    const first = await seedAdministrator({ app, trx, now: app.now() })
    await trx
      .insertInto('migration')
      .values({ name: mark, hash })
      .onConflict(clash => clash.column('name').doUpdateSet({ hash, time: app.now() }))
      .execute()
    return first
  })
  if (made) tellAdministrator(made)
}
