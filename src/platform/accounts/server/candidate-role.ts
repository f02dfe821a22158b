import type { Kysely } from 'kysely'
import type { Database } from '../../database/database.ts'

/** Id of the role that candidates of a tenant have; undefined when the tenant has none. */
export async function candidateRole(db: Kysely<Database>, tenantId: string): Promise<string | undefined> {
  const role = await db
    .selectFrom('role')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('roleAlias', '=', 'candidate')
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  return role?.id
}
