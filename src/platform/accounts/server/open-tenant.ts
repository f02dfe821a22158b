import { TenantStatus } from '#schemas/dictionaries'
import type { Reader } from '../../database/database.ts'
import { refuse } from '../../http/server/refusal.ts'

/** @throws auth.tenantInactive when a tenant is not there, in the recycle bin, or past its end */
export async function requireOpenTenant(db: Reader, tenantId: string, now: Date): Promise<void> {
  const tenant = await db
    .selectFrom('tenant')
    .select('id')
    .where('tenantId', '=', tenantId)
    .where('tenantStatus', '=', TenantStatus.active)
    .where('isDeleted', '=', 0)
    .where(eb => eb.or([eb('expireTime', 'is', null), eb('expireTime', '>', now)]))
    .executeTakeFirst()
  if (!tenant) throw refuse('auth.tenantInactive')
}
