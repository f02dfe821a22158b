import type { FastifyInstance, FastifyRequest } from 'fastify'
import { scoped } from '../../../crud/scope.ts'
import { person } from '../../../platform/http/server/access.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { isReviewer } from '../../exams/server/staff/reviewer.ts'

/** What somebody wants to see whole, and why. */
export interface Look {
  id: string
  field: 'idCard' | 'phone'
  reason: string
}

/**
 * An ID or phone number of a sign-up in full, for staff who may see the sign-up. The call itself is kept in the audit
 * log with its reason.
 * @throws signup.notFound, input.invalid without a reason
 */
export async function reveal(app: FastifyInstance, request: FastifyRequest, look: Look): Promise<string> {
  const caller = person(request)
  if (look.reason.trim().length < 2) throw refuse('input.invalid', { 说明: '请填写查看原因' })
  const inList = await scoped(app, caller, 'signup').select('id').where('id', '=', look.id).executeTakeFirst()
  if (!inList && !(await isReviewer(app, caller, look.id))) throw refuse('signup.notFound')
  const row = await liveAs(app, caller)
    .selectFrom('signup')
    .select(['idCard', 'phone'])
    .where('id', '=', look.id)
    .executeTakeFirstOrThrow()
  const sealed = row[look.field]
  return sealed ? app.vault.open(sealed) : ''
}
