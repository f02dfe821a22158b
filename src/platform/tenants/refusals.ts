import type { RefusalTable } from '#engine'

/** What tenants refuse. */
export const tenantsRefusals = {
  'tenants.accountLimitReached': [20018, 409, '租户账号额度已满', 'The tenant has no accounts left'],
} as const satisfies RefusalTable<'tenants'>

type TenantsRefusals = typeof tenantsRefusals

declare module '#engine' {
  interface Refusals extends TenantsRefusals {}
}
