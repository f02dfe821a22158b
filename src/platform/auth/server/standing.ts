import type { FastifyInstance } from 'fastify'
import { AccountStatus, TenantStatus } from '#schemas/dictionaries'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { numberLost, numberLostText } from './number-claim.ts'
import type { UserRow } from './user-row.ts'

/** What a tenant's people may sign in by. */
export interface Standing {
  tenantStatus: number | null
  expireTime: Date | null
}

/**
 * Makes sure that an account may log in.
 * @param tenant undefined where its tenant is removed
 * @throws auth.accountDisabled, auth.registrationPending, auth.registrationRejected when it may not,
 * auth.tenantInactive for its tenant
 */
export function checkStanding(user: UserRow, tenant: Standing | undefined, now: Date): void {
  if (user.accountStatus === AccountStatus.disabled)
    throw user.auditRemark === numberLost
      ? refuseSaying('auth.accountDisabled', numberLostText)
      : refuse('auth.accountDisabled')
  if (user.accountStatus === AccountStatus.pending) throw refuse('auth.registrationPending')
  if (user.accountStatus === AccountStatus.rejected)
    throw refuse('auth.registrationRejected', { 原因: user.auditRemark ?? '' })
  if (tenant?.tenantStatus !== TenantStatus.active || (tenant.expireTime && tenant.expireTime <= now))
    throw refuse('auth.tenantInactive')
}

/**
 * Makes sure that an account may go on, where nothing is known of its tenant yet.
 * @throws as {@link checkStanding} does
 */
export async function ensureStanding(app: FastifyInstance, user: UserRow): Promise<void> {
  // Tenants are the installation's: a removed one is looked at as one that is not active.
  const tenant = await app.db
    .selectFrom('tenant')
    .select(['tenantStatus', 'expireTime'])
    .where('tenantId', '=', user.tenantId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  checkStanding(user, tenant, app.now())
}
