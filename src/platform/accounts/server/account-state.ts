import { userEvents } from '#resources/system/events'
import { user } from '#resources/system/user'
import type { User } from '#schemas/system/user'
import { emit } from '../../../crud/emit.ts'
import { type EventContext, type GuardContext, guard, on } from '../../../crud/rules.ts'
import { requireAdministrator, requireManageable } from '../../access/server/rights.ts'
import { endSessions } from '../../auth/server/session.ts'
import { refuse } from '../../http/server/refusal.ts'
import { candidateRole } from './candidate-role.ts'

/** @throws 403 for an account with a role that the caller could not give */
async function mayManage({ db, person, rows }: GuardContext<typeof User>): Promise<void> {
  if (person) await requireManageable(db, person, rows)
}

/** @throws the same, row.builtIn for one's own account */
async function mayDisable(ctx: GuardContext<typeof User>): Promise<void> {
  await mayManage(ctx)
  if (ctx.rows.some(row => row.id === ctx.caller.userId)) throw refuse('row.builtIn')
}

/** Accounts that may not be used have no sessions; somebody can still log in as administrator. */
async function signOff({ trx, db, rows, now }: EventContext<typeof User>): Promise<void> {
  await requireAdministrator(db)
  await endSessions(
    trx,
    rows.map(row => row.id),
    'disabled',
    now,
  )
}

/** Who decides about accounts, and what follows from a decision. */
export const accountStateRules = [
  guard(user, 'auditPass', mayManage),
  guard(user, 'auditRefuse', mayManage),
  guard(user, 'enable', mayManage),
  guard(user, 'disable', mayDisable),
  guard(user, 'disableMany', mayDisable),
  on(user, 'auditPass', async ({ db, rows }) => {
    const ids = rows.filter(row => !row.roleId).map(row => row.id)
    if (ids.length === 0) return
    const roleId = (await candidateRole(db)) ?? ''
    await db.updateTable('user').set({ roleId }).where('id', 'in', ids).execute()
  }),
  on(user, 'auditPass', ({ db, rows }) => emit(db, userEvents.passed, rows)),
  on(user, 'auditRefuse', ({ db, rows }) => emit(db, userEvents.refused, rows)),
  on(user, 'disable', signOff),
  on(user, 'disableMany', signOff),
]
