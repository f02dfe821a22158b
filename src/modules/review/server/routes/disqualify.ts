import type { FastifyInstance } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { disqualify, dropStrike, requalify, revokeSignup } from '../../contract.ts'
import { cancelQualification, keepQualification, restoreQualification } from '../disqualify.ts'
import { revoke } from '../revoke.ts'

/** What exam administrators decide on a sign-up: disqualifying, asked for by one and confirmed by another, the way back, and taking a review back. */
export default async function disqualifyRoutes(app: FastifyInstance): Promise<void> {
  serve(app, disqualify, async ({ query, body, request }) => {
    const strike = await cancelQualification(app, callerOf(app, request), { signUpId: query.id, ...body })
    return strike.pending ? { message: '已提出取消资格，另一位有权人员确认后生效' } : {}
  })
  serve(app, dropStrike, async ({ body, request }) => {
    await keepQualification(app, callerOf(app, request), body)
  })
  serve(app, requalify, async ({ query, body, request }) => {
    await restoreQualification(app, callerOf(app, request), { signUpId: query.id, ...body })
  })
  serve(app, revokeSignup, async ({ query, body, request }) => {
    const row = await revoke(app, callerOf(app, request), { signUpId: query.id, ...body })
    return { examine: row.examine, version: row.version }
  })
}
