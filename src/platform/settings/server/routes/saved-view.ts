import type { FastifyInstance } from 'fastify'
import {
  countSavedViews as countContract,
  dropSavedView as dropContract,
  keepSavedView as keepContract,
  savedViews,
} from '../../../../screens/contract.ts'
import { person } from '../../../http/server/access.ts'
import { liveAs } from '../../../http/server/live.ts'
import { serve } from '../../../http/server/serve.ts'
import { countSavedViews, dropSavedView, keepSavedView, savedViewsOf } from '../saved-view.ts'

/** Views of lists that people make for themselves: service `blade-system/savedview`. */
export default async function savedViewRoutes(app: FastifyInstance): Promise<void> {
  serve(app, savedViews, ({ request }) => savedViewsOf(liveAs(app, person(request)), person(request)))
  serve(app, countContract, ({ query, request }) => countSavedViews(app, person(request), query))
  serve(app, keepContract, async ({ body, request }) => ({
    id: await keepSavedView(liveAs(app, person(request)), person(request).userId, body),
  }))
  serve(app, dropContract, ({ body, request }) =>
    dropSavedView(liveAs(app, person(request)), person(request).userId, body.id),
  )
}
