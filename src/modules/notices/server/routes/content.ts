import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Resource } from '#engine'
import { examinetip } from '#resources/sign-up/examinetip'
import { TipScope } from '#schemas/dictionaries'
import { readDetail } from '../../../../crud/detail.ts'
import { type Query, readPage } from '../../../../crud/query.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { seenTips } from '../../../review/server/tips.ts'

const tip: Resource = examinetip
const base = `/api${tip.path}`

/** Phrases for reviewers: everybody sees his own and the shared ones. */
export default async function contentRoutes(app: FastifyInstance): Promise<void> {
  const readOf = (request: FastifyRequest) => ({ app, person: person(request), resource: tip })
  const list = async (request: FastifyRequest, query: Query) =>
    JSON.parse(await readPage(readOf(request), query, seenTips(person(request))))

  for (const path of ['page', 'list'])
    app.get(`${base}/${path}`, { config: { access: { permission: tip.code } } }, async request =>
      ok(await list(request, request.query as Query)),
    )
  // Whoever reviews may use the phrases, also without the right to keep some.
  const users = { permission: [tip.code, 'examine_act', 'examine_recheck'] }
  app.get(`${base}/getMyList`, { config: { access: users } }, async request => {
    const { size = '100', ...query } = request.query as Query
    return ok(await list(request, { ...query, size }))
  })
  app.get(`${base}/detail`, { config: { access: { permission: ['examinetip_view', tip.code] } } }, async request => {
    const row = JSON.parse(await readDetail(readOf(request), request.query as Query))
    const { userId } = person(request)
    const shown = seenTips(person(request)) === undefined || row.userId === userId || row.scope === TipScope.everyone
    if (!shown) throw refuse('row.notFound')
    return ok(row)
  })
}
