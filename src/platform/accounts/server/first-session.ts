import type { FastifyInstance } from 'fastify'
import { AccountStatus } from '#schemas/dictionaries'
import { readClient } from '../../auth/server/client.ts'
import { isFactorAsked } from '../../auth/server/factor.ts'
import { openSession } from '../../auth/server/login.ts'
import { tokenAnswer } from '../../auth/server/token-answer.ts'

/** Where a registration came from. */
interface From {
  authorization: string | undefined
  ip: string
  userAgent: string | undefined
  device: string
}

/**
 * Signs in whoever has just registered: the password was typed twice, and the phone proved where that is asked for.
 * Undefined for whoever waits for an administrator, owes a second factor, or comes without a client that takes tokens.
 */
export async function firstSession(
  app: FastifyInstance,
  { userId, accountStatus }: { userId: string; accountStatus: number },
  { authorization, ip, userAgent, device }: From,
) {
  if (accountStatus !== AccountStatus.active || !authorization) return undefined
  // The account is made: a client that is not known changes nothing of that.
  const client = await readClient(app, authorization).catch(() => undefined)
  if (!client) return undefined
  const user = await app.db.selectFrom('user').selectAll().where('id', '=', userId).executeTakeFirstOrThrow()
  if (await isFactorAsked(app.db, user)) return undefined
  return tokenAnswer(await openSession(app, user, { client, roleId: null, deptId: null, ip, userAgent, device }))
}
