import type { FastifyPluginAsync } from 'fastify'
import { examScores } from '../actions/result/score.ts'
import { callerOf } from '../actions/signup/caller.ts'
import { messageFor, ok } from '../plugins/envelope.ts'
import { id, query } from './signup/schemas.ts'

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
