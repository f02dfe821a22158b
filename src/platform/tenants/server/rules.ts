import { tenant } from '#resources/system/tenant'
import { rules } from '../../../crud/rules.ts'
import { deriveSignInAddress, tenantHooks } from './tenant.ts'
import { tenantHandlers } from './tenant-handlers.ts'

/** Rules of tenants beyond their definition. */
export const tenantRules = [
  rules(tenant, {
    routed: ['open', 'package', 'datasource', 'dump'],
    hooks: { ...tenantHooks, derive: deriveSignInAddress },
    handlers: tenantHandlers,
  }),
]
