import type { FastifyInstance } from 'fastify'
import { ok } from '../plugins/envelope.ts'

/** The host of an address or of a bare domain, lower case; empty when there is none. */
function hostOf(text: string): string {
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`
  try {
    return new URL(address.trim()).host.toLowerCase()
  } catch {
    return ''
  }
}

/** Which tenant an address belongs to, service `blade-system/tenant`; asked before anybody has logged in. */
export default async function tenantRoutes(app: FastifyInstance): Promise<void> {
  app.get<{ Querystring: { domain?: string } }>(
    '/api/blade-system/tenant/info',
    { config: { access: 'public' } },
    async request => {
      const host = hostOf((request.query.domain ?? '').slice(0, 2000))
      if (!host) return ok({})
      const rows = await app.db
        .selectFrom('tenant')
        .select(['tenantId', 'tenantName', 'domain', 'backgroundUrl'])
        .where('isDeleted', '=', 0)
        .where('tenantStatus', '=', 1)
        .where('domain', 'is not', null)
        .where('domain', '!=', '')
        .execute()
      const found = rows.find(row => hostOf(row.domain ?? '') === host)
      return ok(found ? { ...found, domain: found.domain ?? '', backgroundUrl: found.backgroundUrl ?? '' } : {})
    },
  )
}
