import type { FastifyInstance } from 'fastify'
import { AppealStatus } from '#schemas/dictionaries'
import { changeable } from '../../../../crud/scope.ts'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { body, id } from '../../../../platform/http/server/schemas.ts'
import { actorOf, idOf, textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { checkInputLimits } from '../../../sign-up/server/input-limits.ts'
import { handleAppeal } from '../appeal.ts'
import { fileAppeal, withdrawAppeal } from '../score.ts'

const base = '/api/blade-result/resultappeal'
const candidate = { access: 'candidate' } as const
const staff = { access: { permission: ['resultappeal_uphold', 'resultappeal_correct'] } } as const

/** Appeals against results: filed and taken back by candidates, answered by staff. */
export async function appealRoutes(app: FastifyInstance): Promise<void> {
  const reason = { type: 'string', minLength: 1, maxLength: 500, title: '申请理由' } as const
  const filing = body({ resultId: id, reason }, ['resultId', 'reason'])
  app.post<{ Body: { resultId: string; reason: string } }>(
    `${base}/submit`,
    { config: candidate, schema: filing },
    async request => {
      checkInputLimits(request.body)
      const text = request.body.reason.trim()
      if (!text) throw refuse('input.invalid', { 说明: '请输入申请理由' })
      return ok(await fileAppeal(callerOf(app, request), request.body.resultId, text))
    },
  )
  app.post<{ Body: { id: string } }>(
    `${base}/withdraw`,
    { config: candidate, schema: body({ id }, ['id']) },
    async request => {
      await withdrawAppeal(callerOf(app, request), request.body.id)
      return ok()
    },
  )
  app.post(`${base}/handle`, { config: staff }, async request => {
    const values = valuesOf(request)
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
    await handleAppeal(app.db, found.id, answer, reply, actorOf(request))
    return ok()
  })
}
