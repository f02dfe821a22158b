import { randomBytes } from 'node:crypto'
import type { Reader } from '../../database/database.ts'
import { tokenHash, tokenKind } from '../rules/session.ts'

/** A pair of tokens on its way to a person. */
export interface Tokens {
  access: string
  refresh: string
  /** Seconds the access token lasts. */
  expiresIn: number
}

interface Lifetimes {
  access: number
  refresh: number
}

/** The texts of a pair of tokens. */
export type TokenTexts = Pick<Tokens, 'access' | 'refresh'>

/** The texts of a new pair. */
export const randomTexts = (): TokenTexts => ({
  access: randomBytes(32).toString('base64url'),
  refresh: randomBytes(32).toString('base64url'),
})

/** The rows of a pair of tokens, all but their session. They mean nothing by themselves: the session decides. */
export function tokenRows({ access, refresh }: TokenTexts, lifetimes: Lifetimes, now: Date) {
  const row = (token: string, kind: number, seconds: number) => ({
    hash: tokenHash(token),
    kind,
    spentTime: null,
    until: new Date(now.getTime() + seconds * 1000),
  })
  return [row(access, tokenKind.access, lifetimes.access), row(refresh, tokenKind.refresh, lifetimes.refresh)]
}

/** Gives a session that is there another pair of tokens. */
export async function issueTokens(
  db: Reader,
  sessionId: string,
  lifetimes: Lifetimes,
  now: Date,
  texts: TokenTexts,
): Promise<Tokens> {
  const rows = tokenRows(texts, lifetimes, now).map(row => ({ ...row, sessionId }))
  await db.insertInto('session_token').values(rows).execute()
  return { ...texts, expiresIn: lifetimes.access }
}

/** Why a session ended. */
export type EndReason = 'logout' | 'reuse' | 'idle' | 'password' | 'factor' | 'disabled' | 'role' | 'removed'

/**
 * Ends all sessions of people, in every process from the next request on.
 * @param except a session that goes on, for example the one that changes its own password
 */
export async function endSessions(
  db: Reader,
  userIds: readonly string[],
  reason: EndReason,
  now: Date,
  except?: string,
): Promise<void> {
  if (userIds.length === 0) return
  await db
    .updateTable('session')
    .set({ endTime: now, endReason: reason })
    .where('userId', 'in', userIds)
    .where('endTime', 'is', null)
    .$if(except !== undefined, query => query.where('id', '!=', except!))
    .execute()
}

/** Ends one session with all its tokens. */
export async function endSession(db: Reader, id: string, reason: EndReason, now: Date): Promise<void> {
  await db
    .updateTable('session')
    .set({ endTime: now, endReason: reason })
    .where('id', '=', id)
    .where('endTime', 'is', null)
    .execute()
}
