import { randomInt } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import type { tenant } from '#resources/system/tenant'
import type { Tenant } from '#schemas/system/tenant'
import type { Derive, HookContext, Hooks } from '../../../crud/rules.ts'
import { hostOf } from '../../channels/outside/host-of.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { fillTenant, type NewTenant } from './new-tenant.ts'

const tries = 20

/** Answers of requests that made a tenant, until they are sent. */
const made = new WeakMap<FastifyRequest, NewTenant>()

/** What a request made besides the row of a new tenant: its administrator with a password that is shown once. */
export const takeNewTenant = (request: FastifyRequest): NewTenant | undefined => made.get(request)

async function freeNumber({ trx }: HookContext): Promise<string> {
  for (let i = 0; i < tries; i++) {
    const tenantId = String(randomInt(100_000, 1_000_000))
    const taken = await trx.selectFrom('tenant').select('id').where('tenantId', '=', tenantId).executeTakeFirst()
    if (!taken) return tenantId
  }
  throw refuseSaying('request.failed', '租户编号已用尽')
}

/**
 * The address of the sign-in page that is a tenant's own: at its domain, otherwise at ours with its number; empty as long as
 * neither is known.
 */
function signInAddress(domain: string, tenantId: string, publicUrl: string | undefined): string {
  const host = hostOf(domain)
  if (host) return `https://${host}/login`
  return publicUrl ? `${publicUrl.replace(/\/$/, '')}/login?tenant=${tenantId}` : ''
}

/** Where the people of a tenant sign in. */
export const deriveSignInAddress: Derive<typeof tenant> = async ({ app }, rows) =>
  rows.map(({ domain = '', tenantId = '' }) => ({
    signInAddress: signInAddress(domain, tenantId, app.config.publicUrl),
  }))

/** New tenants get a number of six digits that none has had, and everything to begin with. */
export const tenantHooks: Hooks<typeof Tenant> = {
  async beforeSubmit(ctx, given, before) {
    if (!before) ctx.set({ tenantId: await freeNumber(ctx) })
    // Whoever runs the installation must not be locked out of it.
    else if (before.tenantId === firstTenant && given.expireTime) throw refuse('row.builtIn')
  },

  async afterSubmit(ctx, row, before) {
    if (!before) made.set(ctx.request, await fillTenant(ctx, row.tenantId, row.tenantName))
  },
}
