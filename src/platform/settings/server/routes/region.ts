import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { optionNode } from '../../../access/server/menus.ts'
import { serve } from '../../../http/server/serve.ts'
import { regionChoices, regionNodes } from '../../contract.ts'

/** What the country is called by clients that count from zero. */
const country = '00'
const mostFound = 50

/** Places for pickers. They are no secret, and people who register need them. */
export default async function regionRoutes(app: FastifyInstance): Promise<void> {
  const places = () =>
    app.db.selectFrom('region').select(['code', 'parentCode', 'name', 'regionLevel']).where('isDeleted', '=', 0)

  serve(app, regionNodes, async ({ values, reply }) => {
    const parentCode = String(values.parentCode ?? '')
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
    return rows.map(row => {
      const node = { ...optionNode(row.code, row.parentCode, row.name) }
      return (row.branch ? { ...node, hasChildren: true } : node) as never
    })
  })
  serve(app, regionChoices, async ({ request }) => {
    const { code, ids, keyword } = request.query as Readonly<Record<string, string | undefined>>
    const query = places().orderBy('code')
    const rows = await (ids
      ? query.where('code', 'in', ids.split(',').slice(0, 500))
      : keyword
        ? query.where(sql<boolean>`position(${keyword} in name) > 0`).limit(mostFound)
        : query.where('parentCode', '=', code || country)
    ).execute()
    return rows.map(row => ({ ...row, id: row.code, label: row.name }))
  })
}
