import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import '../../database/oauth-tables.ts'
import { begin, finish, type Identity, isUnreachable } from '../../channels/outside/provider.ts'
import { firstTenant } from '../../database/first-tenant.ts'
import { readNumberParam } from '../../database/param.ts'
import { countUp } from '../../database/throttle.ts'
import { countedAddress } from '../../http/server/client-address.ts'
import { refuse } from '../../http/server/refusal.ts'
import { tokenHash } from '../rules/session.ts'
import { redirectUriOf } from './own-origin.ts'
import { readSource } from './social-source.ts'

/** Seconds between leaving for a provider and coming back. */
export const stateSeconds = 600

/** Where somebody wants to be known from. */
export interface Departure {
  tenantId: string
  source: string
  /** Our own address, without a path. */
  origin: string
  ip: string
  /** Who links an identity; null for somebody who signs in. */
  userId: string | null
}

/** How a person leaves: the address to go to, and what the browser must still know when it comes back. */
export interface Leaving {
  address: string
  state: string
  browserKey: string
}

async function count(app: FastifyInstance, what: string, ip: string): Promise<void> {
  // Each asks a host elsewhere.
  const most = await readNumberParam(app.db, firstTenant, 'limit.oauth.address')
  if ((await countUp(app.db, `${what}:${countedAddress(ip)}`, 60, app.now())) > most) throw refuse('input.tooOften')
}

/** What keeps a provider from answering is in the log; people are only told that it does not. */
function broken(app: FastifyInstance, err: unknown, source: string): Error {
  app.log.warn({ err, source }, 'identity provider')
  return refuse(isUnreachable(err) ? 'auth.providerUnavailable' : 'auth.providerAnswerInvalid')
}

/**
 * Begins a login at a provider. What must be known again is in the database, so that any process can go on.
 * @throws auth.providerUnavailable when the provider is not there, input.tooOften
 */
export async function depart(app: FastifyInstance, wish: Departure): Promise<Leaving> {
  const { tenantId, source, origin, ip, userId } = wish
  await count(app, 'oauth-out', ip)
  const found = await readSource(app, { tenantId, source })
  const redirectUri = redirectUriOf(origin, source)
  const begun = await begin(found, redirectUri).catch(error => {
    throw broken(app, error, source)
  })
  const { state, nonce, verifier, address } = begun
  const browserKey = randomBytes(32).toString('base64url')
  const now = app.now()
  await app.db.deleteFrom('oauth_state').where('until', '<', now).execute()
  await app.db
    .insertInto('oauth_state')
    .values({
      hash: tokenHash(state),
      browserHash: tokenHash(browserKey),
      sourceId: found.id,
      redirectUri,
      nonce,
      userId,
      verifier: app.vault.seal(verifier),
      until: new Date(now.getTime() + stateSeconds * 1000),
    })
    .execute()
  return { address, state, browserKey }
}

/** What a person brings back from a provider. */
export interface Return {
  source: string
  code: string
  state: string
  /** Who answers, where the provider says so (RFC 9207). */
  iss: string | undefined
  /** What only the browser that began knows. */
  browserKey: string | undefined
  ip: string
  /** Who links an identity; null for somebody who signs in. */
  userId: string | null
}

/**
 * Takes the flow out of the database: of all that come with one state, one gets it.
 * @throws auth.providerLoginExpired
 */
async function take(app: FastifyInstance, { state, browserKey, userId }: Return) {
  const row = await app.db
    .deleteFrom('oauth_state')
    .where('hash', '=', tokenHash(state))
    .where('browserHash', '=', tokenHash(browserKey ?? ''))
    .where('userId', userId === null ? 'is' : '=', userId)
    .where('until', '>', app.now())
    .returningAll()
    .executeTakeFirst()
  if (!row) throw refuse('auth.providerLoginExpired')
  return row
}

/**
 * Ends a login at a provider: once, in time, and in the browser that began it.
 * @throws auth.providerLoginExpired for any other, auth.providerAnswerInvalid when what came back does not hold,
 * auth.providerUnavailable when the provider does not answer, input.tooOften
 */
export async function arrive(
  app: FastifyInstance,
  given: Return,
): Promise<Identity & { tenantId: string; source: string }> {
  const { source, code, state, iss, ip } = given
  await count(app, 'oauth-in', ip)
  const row = await take(app, given)
  const found = await readSource(app, { id: row.sourceId })
  if (found.source !== source) throw refuse('auth.providerLoginExpired')
  const back = new URL(row.redirectUri)
  back.search = new URLSearchParams({ code, state, ...(iss && { iss }) }).toString()
  const secrets = { state, nonce: row.nonce, verifier: app.vault.open(row.verifier) }
  const identity = await finish(found, back, secrets).catch(error => {
    throw broken(app, error, source)
  })
  return { ...identity, tenantId: found.tenantId, source }
}
