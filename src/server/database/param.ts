import type { Kysely } from 'kysely'
import type { Tables } from '#schemas'
import { firstTenant } from '../domain/first-tenant.ts'
import type { InternalTables } from './tables.ts'

/** Reads a system parameter of a tenant; undefined when there is none. */
export async function readParam(
  db: Kysely<Tables & InternalTables>,
  tenantId: string,
  key: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('param')
    .select('paramValue')
    .where('tenantId', '=', tenantId)
    .where('paramKey', '=', key)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return row?.paramValue
}

/** Reads a parameter that holds for the whole installation, such as what the server may reach: no other tenant decides on it. */
export const readPlatformParam = (db: Kysely<Tables & InternalTables>, key: string): Promise<string | undefined> =>
  readParam(db, firstTenant, key)
