import type { FastifyInstance, FastifyRequest } from 'fastify'
import { callerOf } from '../../../../platform/access/server/caller.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { body, id, query } from '../../../../platform/http/server/schemas.ts'
import { revoke } from '../revoke.ts'
import { cancelQualification, restoreQualification } from '../strike.ts'

type Ask = FastifyRequest<{ Querystring: { id: string }; Body: { reason: string } }>

const reason = { type: 'string', minLength: 1, maxLength: 500, title: '原因' } as const
const asked = { ...query({ id }, ['id']), ...body({ reason }, ['reason']) }
const may = (permission: string) => ({ access: { permission } })

/** What exam administrators decide on a sign-up: disqualifying, asked for by one and confirmed by another, the way back, and taking a review back. */
export default async function strikeRoutes(app: FastifyInstance): Promise<void> {
  await app.register(async scope => acts(scope), { prefix: '/api/blade-signup/signup' })
}

function acts(app: FastifyInstance): void {
  const schema = asked
  app.post('/cancelQualification', { config: may('signup_strike'), schema }, async (request: Ask) => {
    const signUpId = request.query.id
    const strike = await cancelQualification(app, callerOf(app, request), { signUpId, ...request.body })
    return ok(strike.pending ? { message: '已提出取消资格，另一位有权人员确认后生效' } : {})
  })
  app.post('/restoreQualification', { config: may('signup_restore'), schema }, async (request: Ask) => {
    const signUpId = request.query.id
    await restoreQualification(app, callerOf(app, request), { signUpId, ...request.body })
    return ok({})
  })
  app.post('/revoke', { config: may('signup_revoke'), schema }, async (request: Ask) => {
    const row = await revoke(app, callerOf(app, request), { signUpId: request.query.id, ...request.body })
    return ok({ examine: row.examine, version: row.version })
  })
}
