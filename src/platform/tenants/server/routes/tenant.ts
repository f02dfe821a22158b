import type { FastifyInstance, FastifyRequest } from 'fastify'
import { tenant } from '#resources/system/tenant'
import { TenantStatus } from '#schemas/dictionaries'
import { isId } from '../../../../crud/input.ts'
import { isNew, submit } from '../../../../crud/store.ts'
import { hostOf } from '../../../channels/outside/host-of.ts'
import { tenantInfo } from '../../../http/contract.ts'
import { person } from '../../../http/server/access.ts'
import { disposition } from '../../../http/server/disposition.ts'
import { refuse } from '../../../http/server/refusal.ts'
import { serve } from '../../../http/server/serve.ts'
import { exportTenant, packageOfTenant, setDatasource, setPackage, submitTenant } from '../../contract.ts'
import { takeNewTenant } from '../tenant.ts'
import { dumpTenant } from '../tenant-dump.ts'
import { requirePlatform } from '../tenant-handlers.ts'

interface Asked {
  id?: string
  tenantId?: string
  packageId?: string
  datasourceId?: string
}

/** What a call carries, in the address or in the body; the address wins. */
const askedOf = ({ body, query }: FastifyRequest): Asked => ({ ...(body as Asked | undefined), ...(query as Asked) })

/** The tenant of a call by its number or its id. @throws row.notFound */
async function tenantOf(app: FastifyInstance, { id = '', tenantId }: Asked) {
  const query = app.db.selectFrom('tenant').selectAll().where('isDeleted', '=', 0)
  const row = tenantId
    ? await query.where('tenantId', '=', tenantId).executeTakeFirst()
    : isId(id)
      ? await query.where('id', '=', id).executeTakeFirst()
      : undefined
  if (!row) throw refuse('row.notFound')
  return row
}

/** Which tenant an address belongs to; asked before anybody has logged in. */
function infoRoute(app: FastifyInstance): void {
  serve(app, tenantInfo, async ({ values }) => {
    const host = hostOf(String(values.domain ?? '').slice(0, 2000))
    if (!host) return {}
    const rows = await app.db
      .selectFrom('tenant')
      .select(['tenantId', 'tenantName', 'domain', 'backgroundUrl'])
      .where('isDeleted', '=', 0)
      .where('tenantStatus', '=', TenantStatus.active)
      .where('domain', 'is not', null)
      .where('domain', '!=', '')
      .execute()
    const found = rows.find(row => hostOf(row.domain ?? '') === host)
    return found ? { ...found, domain: found.domain ?? '', backgroundUrl: found.backgroundUrl ?? '' } : {}
  })
}

/** Sets one reference of a tenant. @throws row.notFound for a tenant, input.invalid for a target that is not there */
async function point(
  request: FastifyRequest,
  field: 'packageId' | 'datasourceId',
  table: 'tenant_package' | 'datasource',
) {
  const app = request.server
  const caller = person(request)
  requirePlatform({ person: caller })
  const asked = askedOf(request)
  const value = asked[field] || null
  const row = await tenantOf(app, asked)
  await app.db.transaction().execute(async trx => {
    const query = trx
      .selectFrom(table as 'tenant_package')
      .select('id')
      .where('isDeleted', '=', 0)
      .forKeyShare()
    const isThere = value === null || (isId(value) && (await query.where('id', '=', value).executeTakeFirst()))
    if (!isThere) throw refuse('input.invalid', { 说明: '选择的数据不存在' }, [{ field, msg: '选择的数据不存在' }])
    const set = { [field]: value, updateUser: caller.userId, updateTime: app.now() }
    await trx.updateTable('tenant').set(set).where('id', '=', row.id).execute()
  })
}

/** What a tenant is given: package and data source. */
function settingRoutes(app: FastifyInstance): void {
  serve(app, setPackage, ({ request }) => point(request, 'packageId', 'tenant_package'))
  serve(app, setDatasource, ({ request }) => point(request, 'datasourceId', 'datasource'))
  serve(app, packageOfTenant, async ({ request }) => {
    requirePlatform({ person: person(request) })
    const { packageId } = await tenantOf(app, askedOf(request))
    if (!packageId) return {}
    const row = await app.db
      .selectFrom('tenant_package')
      .select(['id', 'packageName', 'menuId', 'remark'])
      .where('id', '=', packageId)
      .where('isDeleted', '=', 0)
      .executeTakeFirst()
    return row ? { ...row, remark: row.remark ?? '' } : {}
  })
}

/** Tenants. */
export default async function tenantRoutes(app: FastifyInstance): Promise<void> {
  infoRoute(app)
  settingRoutes(app)
  serve(app, submitTenant, async ({ request }) => {
    const body = (request.body ?? {}) as Record<string, unknown>
    const needed = isNew(body) ? 'tenant_add' : 'tenant_edit'
    if (!person(request).permissions.has(needed)) throw refuse('request.forbidden')
    await submit(request, tenant, body)
    return takeNewTenant(request) ?? {}
  })
  serve(app, exportTenant, async ({ request, reply }) => {
    requirePlatform({ person: person(request) })
    const row = await tenantOf(app, askedOf(request))
    if (row.tenantStatus !== TenantStatus.recycled) throw refuse('row.wrongState')
    reply.header('content-disposition', disposition(`tenant-${row.tenantId}.jsonl.gz`))
    return reply.type('application/gzip').send(dumpTenant(app, row.tenantId))
  })
}
