import type { FastifyPluginAsync } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { messageFor, ok } from '../../../../platform/http/server/envelope.ts'
import { id, query } from '../../../../platform/http/server/schemas.ts'
import { examScores } from '../score.ts'

/** A candidate's own scores. */
const scoreRoutes: FastifyPluginAsync = async app => {
  app.get<{ Querystring: { examId?: string } }>(
    '/api/blade-signup/score/getExamScore',
    { config: { access: 'signed-in' }, schema: query({ examId: id }) },
    async request =>
      ok(await examScores(callerOf(app, request), request.query.examId, refusal => messageFor(request, refusal))),
  )
}

export default scoreRoutes
