import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { checkInputLimits } from '../../../sign-up/server/input-limits.ts'
import { confirmShortlist, submitAppeal, takeBackAppeal } from '../../contract.ts'
import { fileAppeal, withdrawAppeal } from '../score.ts'
import { answerShortlist } from '../shortlist.ts'

/** What candidates do about their results: confirm a place on a shortlist, appeal, take an appeal back. */
export function candidateRoutes(app: FastifyInstance): void {
  serve(app, confirmShortlist, async ({ body, request }) =>
    answerShortlist({ app, ...callerOf(app, request) }, body.itemId, body.yes ? 'confirm' : 'decline'),
  )
  serve(app, submitAppeal, async ({ body, request }) => {
    checkInputLimits(body)
    const reason = body.reason.trim()
    if (!reason) throw refuse('input.invalid', { 说明: '请输入申请理由' })
    return fileAppeal(callerOf(app, request), body.resultId, reason)
  })
  serve(app, takeBackAppeal, async ({ body, request }) => {
    await withdrawAppeal(app, callerOf(app, request), body.id)
  })
}
