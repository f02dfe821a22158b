import type { FastifyInstance } from 'fastify'
import { UserType } from '#schemas/dictionaries'
import { liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { choose } from './choice.ts'
import { admit, type LoginAttempt } from './login.ts'
import { spendCode } from './sms/code.ts'
import { ensureStanding } from './standing.ts'
import type { UserRow } from './user-row.ts'

/** A sign-in by a code sent to the phone. */
export interface SmsAttempt
  extends Pick<LoginAttempt, 'client' | 'tenantId' | 'roleId' | 'deptId' | 'ip' | 'userAgent' | 'device'> {
  phone: string
  /** The number of the code that was sent. */
  id: string
  code: string
}

/**
 * Logs a person in with a code sent to the person's phone.
 * @throws auth.smsCodeWrong for a wrong code and for a phone nobody has, auth.accountDisabled,
 * auth.registrationPending, auth.registrationRejected, auth.tenantInactive, auth.secondFactorRequired
 */
export async function loginBySms(app: FastifyInstance, attempt: SmsAttempt) {
  const { tenantId, phone, id, code, client, ip, userAgent, device } = attempt
  await spendCode(app, { tenantId, address: phone, purpose: 'login', id, code })
  const user = await phoneOwner(app, tenantId, phone)
  if (!user) throw refuse('auth.smsCodeWrong')
  await ensureStanding(app, user)
  const chosen = choose(user, attempt, { roleId: null, deptId: null })
  return admit(app, user, { ...chosen, client, ip, userAgent, device })
}

/** Whose a phone is: a candidate shares it with no other; one that several of the staff share proves nothing. */
export async function phoneOwner(app: FastifyInstance, tenantId: string, phone: string): Promise<UserRow | undefined> {
  const rows = await liveIn(app, tenantId)
    .selectFrom('user')
    .selectAll()
    .where('phoneHash', '=', app.vault.hash(tenantId, phone))
    .limit(3)
    .execute()
  const row = rows.find(one => one.userType === UserType.candidate) ?? (rows.length === 1 ? rows[0] : undefined)
  return row && { ...row, tenantId }
}
