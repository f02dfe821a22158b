import type { FastifyInstance, FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import { regionNodes } from '../../../../screens/contract.ts'
import { optionNode } from '../../../access/server/menus.ts'
import { askedTenant } from '../../../http/server/asked-tenant.ts'
import { liveIn } from '../../../http/server/live.ts'
import { serve } from '../../../http/server/serve.ts'
import { regionChoices } from '../../contract.ts'

/** What the country is called by clients that count from zero. */
const country = '00'
const mostFound = 50

/** Places for pickers. They are no secret, and people who register need them. */
export default async function regionRoutes(app: FastifyInstance): Promise<void> {
  const places = (request: FastifyRequest) =>
    liveIn(app, askedTenant(request)).selectFrom('region').select(['code', 'parentCode', 'name', 'regionLevel'])

  serve(app, regionNodes, async ({ values, request, reply }) => {
    const parentCode = String(values.parentCode ?? '')
    const rows = await places(request)
      .select(eb =>
        eb
          .exists(eb.selectFrom('region as c').select('c.id').whereRef('c.parentCode', '=', 'region.code'))
          .as('branch'),
      )
      .where('parentCode', '=', parentCode === '' || parentCode === '0' ? country : parentCode)
      .orderBy('code')
      .execute()
    reply.header('cache-control', 'private, max-age=600')
    return rows.map(row => {
      const node = optionNode(row.code, row.parentCode, row.name)
      return row.branch ? { ...node, hasChildren: true } : node
    })
  })
  serve(app, regionChoices, async ({ request }) => {
    const { code, ids, keyword } = request.query as Readonly<Record<string, string | undefined>>
    const query = places(request).orderBy('code')
    const rows = await (ids
      ? query.where('code', 'in', ids.split(',').slice(0, 500))
      : keyword
        ? query.where(sql<boolean>`position(${keyword} in name) > 0`).limit(mostFound)
        : query.where('parentCode', '=', code || country)
    ).execute()
    return rows.map(row => ({ ...row, id: row.code, label: row.name }))
  })
}
