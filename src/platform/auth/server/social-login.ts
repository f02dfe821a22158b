import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { UserType } from '#schemas/dictionaries'
import type { Identity } from '../../channels/outside/provider.ts'
import type { SessionBody } from '../../http/contract.ts'
import { liveIn } from '../../http/server/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { tokenHash } from '../rules/session.ts'
import { choose } from './choice.ts'
import { admit, type LoginAttempt } from './login.ts'
import type { Tokens } from './session.ts'
import { arrive } from './social-flow.ts'
import { ensureStanding } from './standing.ts'
import type { UserRow } from './user-row.ts'

/** Who comes back from a provider to sign in. */
export interface SocialAttempt
  extends Pick<LoginAttempt, 'client' | 'tenantId' | 'roleId' | 'deptId' | 'ip' | 'userAgent' | 'device'> {
  source: string
  code: string
  state: string
  iss: string | undefined
  browserKey: string | undefined
}

type Known = Identity & { tenantId: string; source: string }

/** Seconds somebody without an account may take to ask for one. */
const guestSeconds = 1800

/** Whose an identity is, as far as the account is still there. */
async function ownerOf(app: FastifyInstance, { tenantId, issuer, subject }: Known): Promise<UserRow | undefined> {
  const row = await liveIn(app, tenantId)
    .selectFrom('user')
    .innerJoin('user_oauth', 'user_oauth.userId', 'user.id')
    .selectAll('user')
    .where('user_oauth.tenantId', '=', tenantId)
    .where('user_oauth.issuer', '=', issuer)
    .where('user_oauth.uuid', '=', subject)
    .executeTakeFirst()
  return row && { ...row, tenantId }
}

/**
 * Signs in with what a provider says. An identity that is nobody's gets a guest session, which can ask for an account
 * and nothing else. Never is an account found by name, e-mail or phone: those a provider lets people choose.
 * @throws auth.providerLoginExpired, auth.providerAnswerInvalid, auth.providerUnavailable, auth.secondFactorRequired as
 * {@link admit}, auth.accountDisabled, auth.registrationPending, auth.registrationRejected and auth.tenantInactive as
 * {@link ensureStanding}, input.tooOften
 */
export async function loginBySocial(
  app: FastifyInstance,
  attempt: SocialAttempt,
): Promise<SessionBody & { tokens: Tokens }> {
  const { client, ip, userAgent, device, tenantId } = attempt
  const known = await arrive(app, { ...attempt, userId: null })
  if (known.tenantId !== tenantId) throw refuse('auth.providerLoginExpired')
  const user = await ownerOf(app, known)
  if (!user) return openGuest(app, known)
  await ensureStanding(app, user)
  const chosen = choose(user, attempt, { roleId: null, deptId: null })
  return admit(app, user, { ...chosen, client, ip, userAgent, device })
}

/** Keeps a login that waits for an account, and answers the session that may ask for one. */
async function openGuest(app: FastifyInstance, known: Known): Promise<SessionBody & { tokens: Tokens }> {
  const { tenantId, source, issuer, subject: uuid, nickname } = known
  const now = app.now()
  const [id = '', access = '', refresh = ''] = [1, 2, 3].map(() => randomBytes(32).toString('base64url'))
  await app.db.deleteFrom('oauth_login').where('until', '<', now).execute()
  await app.db
    .insertInto('oauth_login')
    .values({
      id,
      tenantId,
      source,
      issuer,
      uuid,
      nickname,
      userId: null,
      tokenHash: tokenHash(access),
      until: new Date(now.getTime() + guestSeconds * 1000),
    })
    .execute()
  return {
    tenant_id: tenantId,
    user_id: '',
    dept_id: '',
    post_id: '',
    role_id: '',
    oauth_id: id,
    account: '',
    user_name: '',
    nick_name: nickname ?? '',
    real_name: '',
    role_name: 'guest',
    avatar: '',
    userCode: '',
    userType: UserType.other,
    license: 'juxian',
    detail: { type: 'web', mustChangePwd: 0, serverTime: now.getTime(), roleNames: [] },
    tokens: { access, refresh, expiresIn: guestSeconds },
  }
}
