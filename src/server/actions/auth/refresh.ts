import type { FastifyInstance } from 'fastify'
import { Refusal, refuse } from '../../domain/refusal.ts'
import { isIdle, tokenHash, tokenKind } from '../../domain/session.ts'
import type { UserRow } from './account.ts'
import { choose } from './choice.ts'
import type { TokenClient } from './client.ts'
import { owesFactor } from './factor.ts'
import { lifetimesOf } from './login.ts'
import { endSession, issueTokens, type Tokens } from './session.ts'
import { owing, type SessionBody, sessionBody } from './token-answer.ts'

/** A refresh token that no longer serves. Clients log the person out. */
const expired = () => new Refusal(401, 401, '用户令牌过期，请重新登录')

interface Wish {
  token: string
  client: TokenClient
  roleId: string | undefined
  deptId: string | undefined
}

async function readFamily(app: FastifyInstance, hash: string) {
  return app.db
    .selectFrom('session_token')
    .innerJoin('session', 'session.id', 'session_token.sessionId')
    .select(['session.id', 'session.userId', 'session.clientId', 'session.roleId', 'session.deptId'])
    .select(['session.lastSeen', 'session.endTime', 'session_token.until', 'session_token.spentTime'])
    .where('hash', '=', hash)
    .where('kind', '=', tokenKind.refresh)
    .executeTakeFirst()
}

async function readUser(app: FastifyInstance, id: string): Promise<UserRow | undefined> {
  const now = app.now()
  return app.db
    .selectFrom('user')
    .innerJoin('tenant', 'tenant.tenantId', 'user.tenantId')
    .selectAll('user')
    .where('user.id', '=', id)
    .where('user.isDeleted', '=', 0)
    .where('user.accountStatus', '=', 1)
    .where('tenant.tenantStatus', '=', 1)
    .where('tenant.isDeleted', '=', 0)
    .where(eb => eb.or([eb('tenant.expireTime', 'is', null), eb('tenant.expireTime', '>', now)]))
    .executeTakeFirst()
}

/**
 * Exchanges a refresh token, which serves once. One that was spent before ends its session: somebody has a copy. Of two
 * requests with one token that run at the same moment, as two tabs may send them, one wins and the other is only refused.
 * @throws 401 when it does not serve, 29006 when a request at the same moment won, 403 for a role that is not one's own
 */
export async function refresh(
  app: FastifyInstance,
  { token, client, roleId, deptId }: Wish,
): Promise<SessionBody & { tokens: Tokens }> {
  const now = app.now()
  const hash = tokenHash(token)
  const family = await readFamily(app, hash)
  if (!family || family.clientId !== client.clientId) throw expired()
  if (family.spentTime) {
    await endSession(app.db, family.id, 'reuse', now)
    app.log.warn({ userId: family.userId, sessionId: family.id }, 'spent refresh token used again')
    throw expired()
  }
  const user = family.endTime || family.until <= now ? undefined : await readUser(app, family.userId)
  if (!user) throw expired()
  if (isIdle(user.userType, family.lastSeen, now)) {
    await endSession(app.db, family.id, 'idle', now)
    throw expired()
  }
  const chosen = choose(user, { roleId, deptId }, family)
  const mustEnrol = await owesFactor(app.db, user)
  const tokens = await app.db.transaction().execute(async trx => {
    const spent = await trx
      .updateTable('session_token')
      .set({ spentTime: now })
      .where('hash', '=', hash)
      .where('spentTime', 'is', null)
      .executeTakeFirst()
    if (spent.numUpdatedRows === 0n) throw refuse(29006)
    const kept = await trx
      .updateTable('session')
      .set({ ...chosen, mustEnrol })
      .where('id', '=', family.id)
      .where('endTime', 'is', null)
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n) throw expired()
    return issueTokens(trx, family.id, lifetimesOf(client, user.userType), now)
  })
  return { ...owing(await sessionBody(app.db, user, chosen, now), mustEnrol), tokens }
}
