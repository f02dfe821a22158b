import { commaList } from '#engine'
import { userEvents } from '#resources/system/events'
import type { user } from '#resources/system/user'
import { emit } from '../../../crud/emit.ts'
import type { ActionContext, Handler, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { areSeparate, requireAdministrator, requireGivable, requireManageable } from '../../access/server/rights.ts'
import { forgetFailures } from '../../auth/server/attempts.ts'
import { dropFactors } from '../../auth/server/enrol.ts'
import { endSessions } from '../../auth/server/session.ts'
import type { UserRow } from '../../auth/server/user-row.ts'
import type { Trx } from '../../database/database.ts'
import { type LiveTrx, raw } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'
import { randomPassword } from '../../vault/password.ts'
import { setPassword } from './set-password.ts'

/** Most accounts whose passwords are reset at once; each costs a calculation. */
const mostResets = 100

/** The accounts of the ids, locked, that the caller may manage. @throws row.notFound for one that is not there, 403 */
async function manageable(ctx: Pick<ActionContext, 'app' | 'db' | 'person' | 'ids'>, trx: Trx): Promise<UserRow[]> {
  const rows = await scoped(ctx.app, ctx.person, 'user', trx)
    .where('id', 'in', ctx.ids)
    .selectAll()
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  if (rows.length < ctx.ids.length) throw refuse('row.notFound')
  await requireManageable(ctx.db, ctx.person, rows)
  return rows
}

/** Does something with the accounts of the ids in one transaction, of which `db` of the context and `trx` are handles. */
const inTransaction =
  <T, V>(work: (ctx: ActionContext<V> & { db: LiveTrx }, trx: Trx, rows: UserRow[]) => Promise<T>) =>
  (ctx: ActionContext<V>): Promise<T> =>
    ctx.db.transaction().execute(async db => {
      const within = { ...ctx, db }
      const trx = raw(db)
      return work(within, trx, await manageable(within, trx))
    })

/** What is said where one person may run the system and audit it. */
const notSeparate = '超级管理员与审计员不应由同一人担任（三权分立），请核对'

/** Gives people these roles in place of those they have; counts from their next request on. */
const grant: HandlerOf<typeof user, 'grant'> = inTransaction(async ({ db, person, values, now }, trx, rows) => {
  const roleIds = [...new Set(commaList(values.roleIds))]
  const types = rows.map(row => row.userType)
  const given = await requireGivable(db, person, roleIds, types)
  const ids = rows.map(row => row.id)
  const changed = { roleId: roleIds.join(), updateUser: person.userId, updateTime: now }
  await trx.updateTable('user').set(changed).where('id', 'in', ids).execute()
  await requireAdministrator(db)
  return areSeparate(given) ? {} : { msg: notSeparate }
})

/** Gives people these roles beside those they have; counts from their next request on. */
const addRole: HandlerOf<typeof user, 'addRole'> = inTransaction(async ({ db, person, values, now }, trx, rows) => {
  const added = [...new Set(commaList(values.roleIds))]
  await requireGivable(
    db,
    person,
    added,
    rows.map(row => row.userType),
  )
  const stamp = { updateUser: person.userId, updateTime: now }
  const sets = new Set<string>()
  for (const { id, roleId } of rows) {
    const had = commaList(roleId)
    const all = [...new Set([...had, ...added])].join()
    sets.add(all)
    if (all === had.join()) continue
    await trx
      .updateTable('user')
      .set({ ...stamp, roleId: all })
      .where('id', '=', id)
      .execute()
  }
  const roles = await db.selectFrom('role').select(['id', 'roleAlias']).execute()
  const isMixed = [...sets].some(ids => !areSeparate(roles.filter(role => commaList(ids).includes(role.id))))
  return isMixed ? { msg: notSeparate } : {}
})

/** One-time passwords, answered once and stored as hashes only. */
const resetPassword: HandlerOf<typeof user, 'resetPassword'> = async ctx => {
  if (ctx.ids.length > mostResets) throw refuse('input.invalid', { 说明: `一次最多重置${mostResets}个账号` })
  const { now } = ctx
  return inTransaction(async ({ db }, trx, rows) => {
    const shown = rows.map(row => ({ userId: row.id, account: row.account, password: randomPassword(), row }))
    for (const one of shown) await setPassword(trx, one.row, one.password, { now, mustChange: true })
    const ids = rows.map(row => row.id)
    await forgetFailures(trx, ids, now)
    await endSessions(trx, ids, 'password', now)
    await emit(db, userEvents.passwordReset, rows)
    return shown.map(({ row: _row, ...one }) => one)
  })(ctx)
}

/** Opens accounts that too many failures have locked. @throws row.wrongState when none was locked */
const unlock: HandlerOf<typeof user, 'unlock'> = inTransaction(async ({ person, now }, trx, rows) => {
  const ids = rows.map(row => row.id)
  const waiting = await forgetFailures(trx, ids, now)
  const isLocked = (row: UserRow) => waiting.includes(row.id) || (row.lockUntil !== null && row.lockUntil > now)
  const locked = rows.filter(isLocked).map(row => row.id)
  if (locked.length > 0)
    await trx
      .updateTable('user')
      .set({ updateUser: person.userId, updateTime: now })
      .where('id', 'in', locked)
      .execute()
  const done = rows.filter(row => isLocked(row) || isOwnRepeat(row, true, person))
  if (done.length === 0) throw refuse('row.wrongState')
  const others = rows.filter(row => !done.includes(row))
  return { ok: done.map(row => row.id), skipped: others.map(row => ({ id: row.id, reason: '账号未锁定' })) }
})

/** Takes away the second factor of people who have lost theirs, and ends their sessions. */
const resetFactor: Handler = inTransaction(async ({ now }, trx, rows) => {
  const ids = rows.map(row => row.id)
  await dropFactors(trx, ids)
  await endSessions(trx, ids, 'factor', now)
})

/** What is done to accounts beyond adding, changing and removing them. */
export const userHandlers: HandlersOf<typeof user> = {
  grant,
  addRole,
  resetPassword,
  resetFactor,
  unlock,
}
