import type { Kysely } from 'kysely'
import type { Tables } from '#schemas'
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
