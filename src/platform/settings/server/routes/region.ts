import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { optionNode } from '../../../access/server/menus.ts'
import { ok } from '../../../http/server/envelope.ts'

const open = { config: { access: 'public' } } as const

/** What the country is called by clients that count from zero. */
const country = '00'
const mostFound = 50

interface Asked {
  code?: string
  parentCode?: string
  keyword?: string
  ids?: string
}

/** Places for pickers, service `blade-system/region`. They are no secret, and people who register need them. */
export default async function regionRoutes(app: FastifyInstance): Promise<void> {
  const places = () =>
    app.db.selectFrom('region').select(['code', 'parentCode', 'name', 'regionLevel']).where('isDeleted', '=', 0)

  app.get<{ Querystring: Asked }>('/api/blade-system/region/lazy-tree', open, async (request, reply) => {
    const { parentCode = '' } = request.query
    const rows = await places()
      .select(
        sql<boolean>`EXISTS (SELECT 1 FROM region c WHERE c."parentCode" = region.code AND c."isDeleted" = 0)`.as(
          'branch',
        ),
      )
      .where('parentCode', '=', parentCode === '' || parentCode === '0' ? country : parentCode)
      .orderBy('code')
      .execute()
    reply.header('cache-control', 'private, max-age=600')
    return ok(
      rows.map(row => ({
        ...optionNode(row.code, row.parentCode, row.name),
        ...(row.branch ? { hasChildren: true } : {}),
      })),
    )
  })
  app.get<{ Querystring: Asked }>('/api/blade-system/region/select', open, async request => {
    const { code, ids, keyword } = request.query
    const query = places().orderBy('code')
    const rows = await (ids
      ? query.where('code', 'in', ids.split(',').slice(0, 500))
      : keyword
        ? query.where(sql<boolean>`position(${keyword} in name) > 0`).limit(mostFound)
        : query.where('parentCode', '=', code || country)
    ).execute()
    return ok(rows.map(row => ({ ...row, id: row.code, label: row.name })))
  })
}
