import type { FastifyInstance } from 'fastify'
import { AccountStatus, AuditOutcome } from '#schemas/dictionaries'
import { forgetFailures } from '../../auth/server/attempts.ts'
import { dropFactors } from '../../auth/server/enrol.ts'
import { endSessions } from '../../auth/server/session.ts'
import type { Trx } from '../../database/database.ts'
import { randomPassword } from '../../vault/password.ts'
import { setPassword } from './set-password.ts'

/** Whose password is renewed. */
interface Holder {
  id: string
  tenantId: string
  account: string
  /** Hash of the present one. */
  password: string | null
}

/** What {@link renewPassword} gives somebody: a text, and whether it serves for one login only. */
export interface NewPassword {
  password: string
  mustChange: boolean
}

/**
 * Gives an account a new password, ends its sessions, and takes away what else keeps its owner out: wrong passwords that were
 * counted, a second factor whose device may be lost, and that it was disabled. Noted in the security log.
 * @param given a password that its owner knows; without it a random one, to be changed at the first login
 */
export async function renewPassword(
  app: FastifyInstance,
  trx: Trx,
  user: Holder,
  given?: string,
): Promise<NewPassword> {
  const now = app.now()
  const { id, tenantId, account } = user
  const password = given ?? randomPassword()
  const mustChange = given === undefined
  await setPassword(trx, user, password, { now, mustChange })
  await trx.updateTable('user').set({ accountStatus: AccountStatus.active }).where('id', '=', id).execute()
  await forgetFailures(trx, [id], now)
  await dropFactors(trx, [id])
  await endSessions(trx, [id], 'password', now)
  const note = { event: 'password', outcome: AuditOutcome.success, tenantId, targetType: 'user', targetId: id } as const
  await app.audit.local({ ...note, detail: { account, by: 'program' } }, trx)
  return { password, mustChange }
}
