import type { FastifyInstance } from 'fastify'
import { AccountStatus, TenantStatus } from '#schemas/dictionaries'
import type { SessionBody } from '../../http/contract.ts'
import { refuse, refuseSaying } from '../../http/server/refusal.ts'
import { isIdle, spentGrace, tokenHash, tokenKind } from '../rules/session.ts'
import { choose } from './choice.ts'
import type { TokenClient } from './client.ts'
import { owesFactor } from './factor.ts'
import { lifetimesOf } from './login.ts'
import { endSession, issueTokens, type Tokens, type TokenTexts } from './session.ts'
import { owing, sessionBody } from './token-answer.ts'
import type { UserRow } from './user-row.ts'

/** A refresh token that no longer serves. Clients log the person out. */
const expired = () => refuseSaying('request.unauthenticated', '用户令牌过期，请重新登录')

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
  // A token names its account alone: the tenant is found with it.
  return app.db
    .selectFrom('user')
    .innerJoin('tenant', 'tenant.tenantId', 'user.tenantId')
    .selectAll('user')
    .where('user.id', '=', id)
    .where('user.isDeleted', '=', 0)
    .where('user.accountStatus', '=', AccountStatus.active)
    .where('tenant.tenantStatus', '=', TenantStatus.active)
    .where('tenant.isDeleted', '=', 0)
    .where(eb => eb.or([eb('tenant.expireTime', 'is', null), eb('tenant.expireTime', '>', now)]))
    .executeTakeFirst()
}

/**
 * The pair of tokens that follows a refresh token: computed, so that any server can tell it again without keeping its text.
 * Only this installation can compute it.
 */
function textsAfter(app: FastifyInstance, token: string): TokenTexts {
  const text = (kind: string) => Buffer.from(app.vault.hash(`${kind} token after`, token), 'hex').toString('base64url')
  return { access: text('access'), refresh: text('refresh') }
}

/** Whether the pair that followed a spent token is still the newest of its session. */
async function isNewest(app: FastifyInstance, { refresh: text }: TokenTexts, now: Date): Promise<boolean> {
  const row = await app.db
    .selectFrom('session_token')
    .select('spentTime')
    .where('hash', '=', tokenHash(text))
    .where('until', '>', now)
    .executeTakeFirst()
  return row !== undefined && row.spentTime === null
}

type Family = NonNullable<Awaited<ReturnType<typeof readFamily>>>

/** Who may go on with a session, and as what. @throws 401 when nobody may, 403 for a role that is not one's own */
async function goOn(app: FastifyInstance, family: Family, { roleId, deptId }: Wish, now: Date) {
  const user = family.endTime || family.until <= now ? undefined : await readUser(app, family.userId)
  if (!user) throw expired()
  if (isIdle(user.userType, family.lastSeen, now)) {
    await endSession(app.db, family.id, 'idle', now)
    throw expired()
  }
  return { user, chosen: choose(user, { roleId, deptId }, family) }
}

/**
 * Answers a token that was just spent with what followed it: another tab that did not know it yet, or a caller whom
 * the answer did not reach.
 * @throws input.repeated when the session has gone on from there or the other call wanted another role
 */
async function answerAgain(app: FastifyInstance, family: Family, wish: Wish, now: Date) {
  const { user, chosen } = await goOn(app, family, wish, now)
  const texts = textsAfter(app, wish.token)
  const isSame = chosen.roleId === family.roleId && chosen.deptId === family.deptId
  if (!isSame || !(await isNewest(app, texts, now))) throw refuse('input.repeated')
  const mustEnrol = await owesFactor(app.db, user)
  const expiresIn = lifetimesOf(wish.client, user.userType).access
  return { ...owing(await sessionBody(app.db, user, chosen, now), mustEnrol), tokens: { ...texts, expiresIn } }
}

/** Spends a token and gives what follows it; null when another call has just done so. */
async function spend(app: FastifyInstance, family: Family, wish: Wish, now: Date) {
  const { user, chosen } = await goOn(app, family, wish, now)
  const mustEnrol = await owesFactor(app.db, user)
  const tokens = await app.db.transaction().execute(async trx => {
    const spent = await trx
      .updateTable('session_token')
      .set({ spentTime: now })
      .where('hash', '=', tokenHash(wish.token))
      .where('spentTime', 'is', null)
      .executeTakeFirst()
    if (spent.numUpdatedRows === 0n) return null
    const kept = await trx
      .updateTable('session')
      .set({ ...chosen, mustEnrol })
      .where('id', '=', family.id)
      .where('endTime', 'is', null)
      .executeTakeFirst()
    if (kept.numUpdatedRows === 0n) throw expired()
    return issueTokens(trx, family.id, lifetimesOf(wish.client, user.userType), now, textsAfter(app, wish.token))
  })
  return tokens && { ...owing(await sessionBody(app.db, user, chosen, now), mustEnrol), tokens }
}

/**
 * Exchanges a refresh token, which serves once. Within ten seconds it gets the same answer again, from any server;
 * after that it ends its session: somebody has a copy.
 * @throws 401 when it does not serve, input.repeated when the session has just gone on without this caller, 403 for a
 * role that is not one's own
 */
export async function refresh(app: FastifyInstance, wish: Wish): Promise<SessionBody & { tokens: Tokens }> {
  const now = app.now()
  const hash = tokenHash(wish.token)
  const family = await readFamily(app, hash)
  if (!family || family.clientId !== wish.client.clientId) throw expired()
  if (!family.spentTime) {
    const answer = await spend(app, family, wish, now)
    if (answer) return answer
    return answerAgain(app, (await readFamily(app, hash)) ?? family, wish, now)
  }
  if (now.getTime() - family.spentTime.getTime() <= spentGrace) return answerAgain(app, family, wish, now)
  await endSession(app.db, family.id, 'reuse', now)
  app.log.warn({ userId: family.userId, sessionId: family.id }, 'spent refresh token used again')
  throw expired()
}
