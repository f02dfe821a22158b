import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Resource } from '#engine'
import { examinetip } from '#resources/sign-up/examinetip'
import { TipScope } from '#schemas/dictionaries'
import type { Examinetip } from '#schemas/sign-up/examinetip'
import { readDetail } from '../../../../crud/detail.ts'
import { readPage } from '../../../../crud/query.ts'
import type { Query } from '../../../../crud/read.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { jsonText, serve } from '../../../../platform/http/server/serve.ts'
import { myTips, tipDetail, tipPage } from '../../contract.ts'
import { seenTips } from '../tips.ts'

const tip: Resource = examinetip

/** Phrases for reviewers: everybody sees their own and the shared ones. */
export default async function tipRoutes(app: FastifyInstance): Promise<void> {
  const readOf = (request: FastifyRequest) => ({ app, person: person(request), resource: tip })
  const list = (request: FastifyRequest, query: Query) => readPage(readOf(request), query, seenTips(person(request)))

  serve(app, tipPage, async ({ request }) => jsonText(await list(request, request.query as Query)))
  serve(app, myTips, async ({ request }) => {
    const { size = '100', ...query } = request.query as Query
    return jsonText(await list(request, { ...query, size }))
  })
  serve(app, tipDetail, async ({ request }) => {
    const text = await readDetail(readOf(request), request.query as Query)
    const row = JSON.parse(text) as Examinetip
    const { userId } = person(request)
    const shown = seenTips(person(request)) === undefined || row.userId === userId || row.scope === TipScope.everyone
    if (!shown) throw refuse('row.notFound')
    return jsonText(text)
  })
}
