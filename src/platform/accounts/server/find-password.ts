import type { FastifyInstance, FastifyRequest } from 'fastify'
import { commaList } from '#engine'
import { AuditOutcome } from '#schemas/dictionaries'
import { forgetFailures } from '../../auth/server/attempts.ts'
import { endSessions } from '../../auth/server/session.ts'
import { proveCode, takeCode } from '../../auth/server/sms/code.ts'
import { phoneOwner } from '../../auth/server/sms-login.ts'
import { rolesOf } from '../../auth/server/token-answer.ts'
import type { UserRow } from '../../auth/server/user-row.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { requireOpenTenant } from './open-tenant.ts'
import { requireGoodPassword, setPassword } from './set-password.ts'

/** What somebody sends who has lost the password. */
export interface LostPassword {
  tenantId: string
  phone: string
  codeId: string
  smsCode: string
  /** Cipher texts. */
  password: string
  password2: string
  keyId: string | undefined
}

/** What somebody sends who proves a phone. */
export type ProvedPhone = Pick<LostPassword, 'tenantId' | 'phone' | 'codeId' | 'smsCode'>

/**
 * The account of a phone, for whoever has the code that was sent to it. The code can still be given again.
 * @throws auth.smsCodeWrong for a wrong code and for a phone nobody has, 403 for an administrator
 */
async function provedOwner(app: FastifyInstance, { tenantId, phone, codeId, smsCode }: ProvedPhone): Promise<UserRow> {
  await proveCode(app, { tenantId, address: phone, purpose: 'password', id: codeId, code: smsCode })
  const user = await phoneOwner(app, tenantId, phone)
  if (!user) throw refuse('auth.smsCodeWrong')
  const roles = await rolesOf(app.db, commaList(user.roleId))
  if (roles.some(role => role.roleAlias === 'administrator'))
    throw refuseSaying('request.forbidden', '管理员账号不能用手机找回密码，请由其他管理员重置')
  return user
}

/**
 * Which account gets a new password and what is asked of it, before one is typed: nothing of it is told without the
 * code.
 * @throws auth.smsCodeWrong, 403 for an administrator, auth.tenantInactive
 */
export async function ownerOfPhone(app: FastifyInstance, given: ProvedPhone) {
  await requireOpenTenant(app.db, given.tenantId, app.now())
  const { account, userType } = await provedOwner(app, given)
  return { account, userType }
}

/**
 * Gives whoever proves a phone a new password for the account it belongs to, and ends that account's sessions. A second
 * factor stays: it is asked for at the next login.
 * @returns the name of the account
 * @throws auth.passwordUnreadable and accounts.passwordsDiffer passwords, auth.smsCodeWrong for a wrong code and for a
 * phone nobody has, 403 for an administrator, accounts.passwordTooWeak too weak, auth.tenantInactive
 */
export async function renewByPhone(request: FastifyRequest, given: LostPassword): Promise<{ account: string }> {
  const app: FastifyInstance = request.server
  const { tenantId, codeId } = given
  const now = app.now()
  await requireOpenTenant(app.db, tenantId, now)
  const [password, again] = await app.cipher.open([given.password, given.password2], now, given.keyId)
  if (password === null || password === undefined || again === null) throw refuse('auth.passwordUnreadable')
  if (password !== again) throw refuse('accounts.passwordsDiffer')
  const user = await provedOwner(app, given)
  await requireGoodPassword(app.db, user, password)
  await app.db.transaction().execute(async trx => {
    await takeCode(trx, codeId)
    await setPassword(trx, user, password, { now, mustChange: false })
    await forgetFailures(trx, [user.id], now)
    await endSessions(trx, [user.id], 'password', now)
    const note = {
      event: 'password',
      outcome: AuditOutcome.success,
      tenantId,
      userId: user.id,
      targetType: 'user',
    } as const
    await app.audit.note(request, { ...note, targetId: user.id, detail: { account: user.account, by: 'sms' } }, trx)
  })
  return { account: user.account }
}
