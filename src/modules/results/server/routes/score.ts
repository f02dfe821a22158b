import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { messageFor } from '../../../../platform/http/server/envelope.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { ownScores } from '../../contract.ts'
import { examScores } from '../score.ts'

/** A candidate's own scores. */
const scoreRoutes: FastifyPluginAsync = async app => {
  serve(app, ownScores, async ({ query, request }) =>
    examScores(callerOf(app, request), query.examId, refusal => messageFor(request, refusal)),
  )
}

export default scoreRoutes
