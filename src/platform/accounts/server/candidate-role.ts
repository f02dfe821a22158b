import type { Live } from '../../database/live.ts'

/** Id of the role that candidates of a tenant have; undefined when the tenant has none. */
export async function candidateRole(db: Live): Promise<string | undefined> {
  const role = await db.selectFrom('role').select('id').where('roleAlias', '=', 'candidate').executeTakeFirst()
  return role?.id
}
