import type { FastifyInstance } from 'fastify'
import { refuse } from '../../http/server/refusal.ts'
import { provesFactor } from './factor.ts'
import { countWrong, type LoginAttempt, openSession } from './login.ts'
import { closeTicket, tryTicket } from './login-ticket.ts'
import { ensureStanding } from './standing.ts'

/** The second half of a login. */
export interface SecondStep extends Pick<LoginAttempt, 'client' | 'ip' | 'userAgent' | 'device'> {
  /** What the first half answered. */
  ticket: string
  /** Six digits of the app, or a recovery code. */
  code: string
}

/**
 * Ends a login with a code of the app.
 * @throws auth.loginExpired when the first half is too long ago, was another client's or has served,
 * auth.secondFactorWrong wrong code, auth.locked locked, auth.accountDisabled, auth.registrationPending,
 * auth.registrationRejected, auth.tenantInactive
 */
export async function finishLogin(app: FastifyInstance, { ticket, code, client, ip, userAgent, device }: SecondStep) {
  const { userId, roleId, deptId } = await tryTicket(app, ticket, client)
  // The first half names its account alone: the tenant is found with it.
  const user = await app.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', userId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!user) throw refuse('auth.loginExpired')
  if (!(await provesFactor(app, user, code))) {
    await countWrong(app, ip)
    throw refuse('auth.secondFactorWrong')
  }
  await closeTicket(app, ticket)
  await ensureStanding(app, user)
  return openSession(app, user, { client, roleId, deptId, ip, userAgent, device })
}
