import { createHash, randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import '../../database/oauth-tables.ts'
import type { SessionBody } from '../../http/contract.ts'
import type { Person } from '../../http/server/access.ts'
import { refuse } from '../../http/server/refusal.ts'
import { tokenHash } from '../rules/session.ts'
import { type LoginAttempt, openSession } from './login.ts'
import type { CodeWish } from './oauth-wish.ts'
import { endSession, type Tokens } from './session.ts'
import { ensureStanding } from './standing.ts'

/** Seconds a code may take from the person to the program. */
const codeSeconds = 300

/** The program's address with an answer; parameters it already has stay. */
function addressOf({ redirectUri, state }: CodeWish, answer: Record<string, string>): string {
  const address = new URL(redirectUri)
  for (const [name, value] of Object.entries({ ...answer, ...(state && { state }) }))
    address.searchParams.set(name, value)
  return address.href
}

/** Where a person who says no goes back to. */
export const denied = (wish: CodeWish): string => addressOf(wish, { error: 'access_denied' })

/** Stores that a person lets a program in, and answers the address to go back to. */
export async function allow(app: FastifyInstance, { userId }: Person, wish: CodeWish): Promise<string> {
  const code = randomBytes(32).toString('base64url')
  const now = app.now()
  const { clientId, redirectUri, challenge } = wish
  // A code is looked at for a day: one that comes again then still ends what it gave.
  await app.db
    .deleteFrom('oauth_code')
    .where('until', '<', new Date(now.getTime() - 86_400_000))
    .execute()
  await app.db
    .insertInto('oauth_code')
    .values({
      hash: tokenHash(code),
      clientId,
      userId,
      redirectUri,
      challenge,
      spentTime: null,
      replayTime: null,
      sessionId: null,
      until: new Date(now.getTime() + codeSeconds * 1000),
    })
    .execute()
  return addressOf(wish, { code })
}

/** What a program brings for a session. */
export interface CodeAttempt extends Pick<LoginAttempt, 'client' | 'ip' | 'userAgent'> {
  code: string
  redirectUri: string
  /** The text behind the challenge of PKCE. */
  verifier: string | undefined
}

const fits = (challenge: string | null, verifier: string | undefined): boolean =>
  challenge === null
    ? verifier === undefined
    : /^[\w.~-]{43,128}$/.test(verifier ?? '') &&
      createHash('sha256')
        .update(verifier ?? '')
        .digest('base64url') === challenge

/** Marks a spent code as used again and ends what it gave: two hold it, and one should not. */
async function endGiven(app: FastifyInstance, hash: string, clientId: string): Promise<void> {
  const now = app.now()
  const row = await app.db
    .updateTable('oauth_code')
    .set({ replayTime: now })
    .where('hash', '=', hash)
    .where('clientId', '=', clientId)
    .where('spentTime', 'is not', null)
    .returning(['sessionId', 'userId'])
    .executeTakeFirst()
  if (!row) return
  app.log.warn({ userId: row.userId, clientId }, 'spent authorization code used again')
  if (row.sessionId) await endSession(app.db, row.sessionId, 'reuse', now)
}

/**
 * Exchanges a code for a session of the person who let the program in.
 * @throws auth.authorizationCodeInvalid for a code that is another program's, too old, used before, or comes with
 * another address or verifier; auth.accountDisabled, auth.registrationPending, auth.registrationRejected and
 * auth.tenantInactive when the person may not sign in any more
 */
export async function loginByCode(
  app: FastifyInstance,
  { client, code, redirectUri, verifier, ip, userAgent }: CodeAttempt,
): Promise<SessionBody & { tokens: Tokens }> {
  const now = app.now()
  const hash = tokenHash(code)
  const row = await app.db
    .updateTable('oauth_code')
    .set({ spentTime: now })
    .where('hash', '=', hash)
    .where('clientId', '=', client.clientId)
    .where('spentTime', 'is', null)
    .returningAll()
    .executeTakeFirst()
  if (!row) await endGiven(app, hash, client.clientId)
  if (!row || row.until <= now || row.redirectUri !== redirectUri || !fits(row.challenge, verifier))
    throw refuse('auth.authorizationCodeInvalid')
  // A code names its account alone: the tenant is found with it.
  const user = await app.db
    .selectFrom('user')
    .selectAll()
    .where('id', '=', row.userId)
    .where('isDeleted', '=', 0)
    .executeTakeFirst()
  if (!user) throw refuse('auth.authorizationCodeInvalid')
  await ensureStanding(app, user)
  const opened = await openSession(app, user, {
    client,
    roleId: null,
    deptId: null,
    ip,
    userAgent,
    device: undefined,
  })
  await remember(app, hash, opened.tokens)
  return opened
}

/**
 * Writes down which session a code gave.
 * @throws auth.authorizationCodeInvalid when the code came a second time meanwhile: then neither gets one
 */
async function remember(app: FastifyInstance, hash: string, tokens: Tokens): Promise<void> {
  const { sessionId } = await app.db
    .selectFrom('session_token')
    .select('sessionId')
    .where('hash', '=', tokenHash(tokens.access))
    .executeTakeFirstOrThrow()
  const kept = await app.db
    .updateTable('oauth_code')
    .set({ sessionId })
    .where('hash', '=', hash)
    .where('replayTime', 'is', null)
    .executeTakeFirst()
  if (kept.numUpdatedRows === 1n) return
  await endSession(app.db, sessionId, 'reuse', app.now())
  throw refuse('auth.authorizationCodeInvalid')
}
