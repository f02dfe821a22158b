import type { FastifyInstance } from 'fastify'
import { ExamineStage, ExamRole, ReduceState } from '#schemas/dictionaries'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { checkInputLimits } from '../../../sign-up/server/input-limits.ts'
import {
  claimSignup,
  examineSignup,
  passSignups,
  recheckSignup,
  reviewExams,
  reviewInfo,
  reviewUnits,
  revokeReview,
  workList,
} from '../../contract.ts'
import { passAll } from '../batch.ts'
import { claim } from '../claim.ts'
import { answerOf, examine } from '../decide.ts'
import { findReviewed } from '../find.ts'
import { infoOf } from '../info.ts'
import { reviewList } from '../list.ts'
import { recheck } from '../recheck.ts'
import { revoke, undo } from '../revoke.ts'
import { addTelling } from '../telling.ts'
import { examsOf, unitsOf } from '../units.ts'

/** Review of sign-ups. */
export default async function examineRoutes(app: FastifyInstance): Promise<void> {
  app.addHook('preHandler', async request => checkInputLimits(request.body))
  addTelling(app)
  reading(app)
  deciding(app)
}

function reading(app: FastifyInstance): void {
  serve(app, workList, async ({ query, request }) => reviewList(callerOf(app, request), query))
  serve(app, reviewUnits, async ({ query, request }) => unitsOf(callerOf(app, request), query.examId))
  serve(app, reviewExams, async ({ request }) => examsOf(callerOf(app, request)))
  serve(app, reviewInfo, async ({ query, request }) => {
    const { signUpId, ...rest } = query
    return infoOf(app, callerOf(app, request), signUpId, rest)
  })
  serve(app, claimSignup, async ({ body, request }) => {
    const caller = callerOf(app, request)
    const { row } = await findReviewed(app, caller, body.signUpId, {
      roles: [ExamRole.firstReviewer, ExamRole.secondReviewer],
    })
    return claim(caller, row.id)
  })
}

function deciding(app: FastifyInstance): void {
  serve(app, examineSignup, async ({ body, request }) => {
    const caller = callerOf(app, request)
    const row = await examine(app, caller, body)
    return answerOf(caller, row, {
      examId: row.examId,
      ...body.filter,
      stage: row.reduceState === ReduceState.none ? ExamineStage.first : ExamineStage.reassignment,
    })
  })
  serve(app, passSignups, async ({ body, request }) => passAll(app, callerOf(app, request), [...new Set(body.ids)]))
  serve(app, recheckSignup, async ({ body, request }) => {
    const caller = callerOf(app, request)
    const row = await recheck(app, caller, body)
    return answerOf(caller, row, { examId: row.examId, ...body.filter, stage: ExamineStage.second })
  })
  serve(app, revokeReview, async ({ body, request }) => {
    const row = await (body.undo ? undo : revoke)(app, callerOf(app, request), body)
    return { examine: row.examine, version: row.version }
  })
}
