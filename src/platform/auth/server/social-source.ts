import type { FastifyInstance } from 'fastify'
import { EnableStatus } from '#schemas/dictionaries'
import { isAllowedHost } from '../../channels/outside/allowed-host.ts'
import type { Provider } from '../../channels/outside/provider.ts'
import { readPlatformParam } from '../../database/param.ts'
import { liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'

/** Reads which hosts may be inside a private network, or without TLS. */
export async function listedHosts(db: FastifyInstance['db']): Promise<Provider['isListed']> {
  const list = await readPlatformParam(db, 'oauth.hosts')
  return (host, port) => isAllowedHost(host, port, list)
}

/** Providers people of a tenant may sign in with: what a button needs, nothing more. */
export const enabledSources = (app: FastifyInstance, tenantId: string) =>
  liveIn(app, tenantId)
    .selectFrom('oauth_source')
    .select(['source', 'sourceName'])
    .where('sourceStatus', '=', EnableStatus.enabled)
    .orderBy('sort')
    .orderBy('id')
    .limit(20)
    .execute()

/** A registered provider with its secret in clear. */
export interface Source extends Provider {
  id: string
  tenantId: string
  source: string
}

/** A provider in use, by its name within a tenant or by its id. @throws auth.providerUnavailable when there is none */
export async function readSource(
  app: FastifyInstance,
  which: { tenantId: string; source: string } | { id: string },
): Promise<Source> {
  // Whoever comes back names no tenant: the source does.
  const query = app.db
    .selectFrom('oauth_source')
    .where('isDeleted', '=', 0)
    .where('sourceStatus', '=', EnableStatus.enabled)
    .select(['id', 'tenantId', 'source', 'issuer', 'clientId', 'clientSecret', 'scope'])
  const row = await ('id' in which
    ? query.where('id', '=', which.id)
    : query.where('tenantId', '=', which.tenantId).where('source', '=', which.source)
  ).executeTakeFirst()
  if (!row) throw refuse('auth.providerUnavailable')
  const clientSecret = row.clientSecret ? app.vault.open(row.clientSecret) : ''
  return { ...row, clientSecret, isListed: await listedHosts(app.db) }
}
