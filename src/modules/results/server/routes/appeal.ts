import type { FastifyInstance } from 'fastify'
import { AppealStatus } from '#schemas/dictionaries'
import { changeable } from '../../../../crud/scope.ts'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { liveAs } from '../../../../platform/http/server/live.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { actorOf, idOf, textOf } from '../../../exams/server/routes/examination.ts'
import { checkInputLimits } from '../../../sign-up/server/input-limits.ts'
import { answerAppeal, submitAppeal, takeBackAppeal } from '../../contract.ts'
import { handleAppeal } from '../appeal.ts'
import { fileAppeal, withdrawAppeal } from '../score.ts'

/** Appeals against results: filed and taken back by candidates, answered by staff. */
export function appealRoutes(app: FastifyInstance): void {
  serve(app, submitAppeal, async ({ body, request }) => {
    checkInputLimits(body)
    const reason = body.reason.trim()
    if (!reason) throw refuse('input.invalid', { 说明: '请输入申请理由' })
    return fileAppeal(callerOf(app, request), body.resultId, reason)
  })
  serve(app, takeBackAppeal, async ({ body, request }) => {
    await withdrawAppeal(callerOf(app, request), body.id)
  })
  serve(app, answerAppeal, async ({ values, request }) => {
    const answer = Number(textOf(values, 'appealStatus'))
    if (answer !== AppealStatus.upheld && answer !== AppealStatus.corrected)
      throw refuse('input.invalid', { 说明: '处理结果只能是维持或更正' })
    const needed = answer === AppealStatus.upheld ? 'resultappeal_uphold' : 'resultappeal_correct'
    if (!person(request).permissions.has(needed)) throw refuse('request.forbidden')
    const reply = textOf(values, 'reply')
    if (!reply || reply.length > 500) throw refuse('input.invalid', { 说明: '请输入答复，最多 500 字' })
    const found = await changeable(app, person(request), 'resultappeal')
      .select('id')
      .where('id', '=', idOf(values))
      .executeTakeFirst()
    if (!found) throw refuse('row.notFound')
    await handleAppeal(liveAs(app, person(request)), found.id, answer, reply, actorOf(request))
  })
}
