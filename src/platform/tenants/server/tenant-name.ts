import type { Live } from '../../database/live.ts'

/** The name of a tenant by its number; `''` where there is none. */
export async function nameOfTenant(db: Live, tenantId: string): Promise<string> {
  const tenant = await db.selectFrom('tenant').select('tenantName').where('tenantId', '=', tenantId).executeTakeFirst()
  return tenant?.tenantName ?? ''
}
