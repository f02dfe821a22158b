import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { id, leaveBody, precheckBody, query, submitBody } from '../../../../platform/http/server/schemas.ts'
import type { Content } from '../../../exams/rules/sign-item.ts'
import { giveUp, removeOwn, withdraw } from '../leave.ts'
import { precheckFor } from '../precheck.ts'
import { type SubmitBody, submitSignup } from '../submit.ts'
import { readForm, signupForm } from './multipart.ts'

const candidate = { access: 'candidate' } as const

/** Most sign-ups removed at once. */
const most = 100

/** Ids of a comma list. @throws input.invalid */
function idsOf(text: string): string[] {
  const ids = text.split(',').filter(Boolean)
  const known = new RegExp(id.pattern)
  if (ids.length === 0 || ids.length > most || !ids.every(one => known.test(one)))
    throw refuse('input.invalid', { 说明: 'ids' })
  return ids
}

/** What a candidate does with his own sign-up: pre-check, save, hand in, take back, give up. */
export default async function candidateRoutes(app: FastifyInstance): Promise<void> {
  app.post<{ Body: SubmitBody }>(
    '/submit',
    { config: { ...candidate, form: signupForm }, schema: submitBody, preValidation: readForm },
    async request => ok(await submitSignup(callerOf(app, request), request.body)),
  )
  app.post<{ Body: { examId: string; unit?: string; code: string; content?: Content } }>(
    '/precheck',
    { config: candidate, schema: precheckBody },
    async request => ok(await precheckFor(callerOf(app, request), request.body)),
  )
  app.post<{ Body: { id: string } }>('/withdraw', { config: candidate, schema: leaveBody }, async request => {
    const { signStatus, version } = await withdraw(callerOf(app, request), request.body.id)
    return ok({ signStatus, version })
  })
  app.post<{ Body: { id: string; reason?: string } }>(
    '/giveUp',
    { config: candidate, schema: leaveBody },
    async request => {
      const { signStatus, version } = await giveUp(
        { app, ...callerOf(app, request) },
        request.body.id,
        request.body.reason ?? '',
      )
      return ok({ signStatus, version })
    },
  )
  app.post<{ Querystring: { ids: string } }>(
    '/remove',
    { config: candidate, schema: query({ ids: { type: 'string', maxLength: 4000 } }, ['ids']) },
    async request => {
      await removeOwn({ app, ...callerOf(app, request) }, idsOf(request.query.ids))
      return ok()
    },
  )
}
