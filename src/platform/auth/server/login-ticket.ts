import { randomBytes } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { refuse } from '../../http/server/refusal.ts'
import { tokenHash } from '../rules/session.ts'
import type { Choice } from './choice.ts'
import type { TokenClient } from './client.ts'

/** Milliseconds between the two halves of a login. */
const lifetime = 5 * 60_000
const mostTries = 5

/** Whose login has begun, and with which roles it goes on. */
interface Begun extends Choice {
  userId: string
  client: TokenClient
}

/** Notes that the first half of a login is done. @returns what the page gives back with the code; it opens nothing by itself */
export async function openTicket(app: FastifyInstance, { userId, client, roleId, deptId }: Begun): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  const until = new Date(app.now().getTime() + lifetime)
  await app.db
    .insertInto('login_ticket')
    .values({ hash: tokenHash(token), userId, clientId: client.clientId, roleId, deptId, until })
    .execute()
  return token
}

/**
 * Finds the login that goes on, and counts the attempt.
 * @throws auth.loginExpired when there is none for this client, it is too old, or was tried five times
 */
export async function tryTicket(app: FastifyInstance, token: string, client: TokenClient) {
  const row = await app.db
    .updateTable('login_ticket')
    .set({ tries: sql<number>`tries + 1` })
    .where('hash', '=', tokenHash(token))
    .where('clientId', '=', client.clientId)
    .where('tries', '<', mostTries)
    .where('until', '>', app.now())
    .returning(['userId', 'roleId', 'deptId'])
    .executeTakeFirst()
  if (!row) throw refuse('auth.loginExpired')
  return row
}

/**
 * Ends a login that went through: of two requests that come together only one may go on.
 * @throws auth.loginExpired for the other
 */
export async function closeTicket({ db }: FastifyInstance, token: string): Promise<void> {
  const gone = await db.deleteFrom('login_ticket').where('hash', '=', tokenHash(token)).executeTakeFirst()
  if (gone.numDeletedRows === 0n) throw refuse('auth.loginExpired')
}
