import type { FastifyInstance } from 'fastify'
import * as factor from '../../../auth/server/enrol.ts'
import { person } from '../../../http/server/access.ts'
import { serve } from '../../../http/server/serve.ts'
import { beginFactor, confirmFactor, factorState, removeFactor } from '../../contract.ts'

/** One's own second factor. Who must set one up may do so before anything else. */
export default async function factorRoutes(app: FastifyInstance): Promise<void> {
  serve(app, factorState, ({ request }) => factor.factorState(app, person(request)))
  serve(app, beginFactor, ({ body, request }) => factor.beginFactor(app, person(request), body))
  serve(app, confirmFactor, ({ body, request }) => factor.confirmFactor(app, person(request), body.value))
  serve(app, removeFactor, ({ body, request }) => factor.removeFactor(app, person(request), body))
}
