import { sql } from 'kysely'
import type { user } from '#resources/system/user'
import { AccountStatus } from '#schemas/dictionaries'
import type { ActionContext, Handler, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { areSeparate, requireAdministrator, requireGivable, requireManageable } from '../../access/server/rights.ts'
import { idList } from '../../auth/rules/session.ts'
import { forgetFailures } from '../../auth/server/attempts.ts'
import { dropFactors } from '../../auth/server/enrol.ts'
import { endSessions } from '../../auth/server/session.ts'
import type { UserRow } from '../../auth/server/user-row.ts'
import type { Trx } from '../../database/database.ts'
import { raw } from '../../database/live.ts'
import { refuse } from '../../http/server/refusal.ts'
import { isOwnRepeat } from '../../http/server/repeated.ts'
import { randomPassword } from '../../vault/password.ts'
import { candidateRole } from './candidate-role.ts'
import { setPassword } from './set-password.ts'

/** What was done to whom, and to whom not and why. */
interface Report {
  ok: string[]
  skipped: { id: string; reason: string }[]
}

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
  <T, V>(work: (ctx: ActionContext<V>, trx: Trx, rows: UserRow[]) => Promise<T>) =>
  (ctx: ActionContext<V>): Promise<T> =>
    ctx.db.transaction().execute(async db => {
      const within = { ...ctx, db }
      const trx = raw(db)
      return work(within, trx, await manageable(within, trx))
    })

/** Gives people these roles in place of those they have; counts from their next request on. */
const grant: HandlerOf<typeof user, 'grant'> = inTransaction(async ({ db, person, values, now }, trx, rows) => {
  const roleIds = [...new Set(idList(values.roleIds))]
  const types = rows.map(row => row.userType)
  const given = await requireGivable(db, person, roleIds, types)
  const ids = rows.map(row => row.id)
  const changed = { roleId: roleIds.join(), updateUser: person.userId, updateTime: now }
  await trx.updateTable('user').set(changed).where('id', 'in', ids).execute()
  await requireAdministrator(db)
  return areSeparate(given) ? {} : { msg: '超级管理员与审计员不应由同一人担任（三权分立），请核对' }
})

/** One-time passwords, answered once and stored as hashes only. */
const resetPassword: Handler = async ctx => {
  if (ctx.ids.length > mostResets) throw refuse('input.invalid', { 说明: `一次最多重置${mostResets}个账号` })
  const { now } = ctx
  return inTransaction(async (_, trx, rows) => {
    const shown = rows.map(row => ({ userId: row.id, account: row.account, password: randomPassword(), row }))
    for (const one of shown) await setPassword(trx, one.row, one.password, { now, mustChange: true })
    const ids = rows.map(row => row.id)
    await forgetFailures(trx, ids, now)
    await endSessions(trx, ids, 'password', now)
    return shown.map(({ row: _row, ...one }) => one)
  })(ctx)
}

const unlock: Handler = inTransaction(async ({ person, now }, trx, rows) => {
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
  return report(rows, done, '账号未锁定')
})

/** Takes away the second factor of people who have lost theirs, and ends their sessions. */
const resetFactor: Handler = inTransaction(async ({ now }, trx, rows) => {
  const ids = rows.map(row => row.id)
  await dropFactors(trx, ids)
  await endSessions(trx, ids, 'factor', now)
  return {}
})

/** @throws row.wrongState when nothing of what was asked for is done */
const report = (rows: readonly UserRow[], done: readonly UserRow[], reason: string): Report => {
  if (done.length === 0) throw refuse('row.wrongState')
  return {
    ok: done.map(row => row.id),
    skipped: rows.filter(row => !done.includes(row)).map(row => ({ id: row.id, reason })),
  }
}

/** Whether one person has decided on a registration in just this way. */
const isAudited = (row: UserRow, accountStatus: 1 | 4, remark: string, person: { userId: string }): boolean => {
  const isSame = row.accountStatus === accountStatus && (row.auditRemark ?? '') === remark
  return isOwnRepeat({ updateUser: row.auditUser }, isSame, person)
}

const auditPass: Handler = inTransaction(async ({ person, now, db }, trx, rows) => {
  const waiting = rows.filter(row => row.accountStatus === AccountStatus.pending)
  const roleId = await candidateRole(db)
  if (waiting.length > 0) {
    const audit = { auditUser: person.userId, auditTime: now, auditRemark: null }
    const ids = waiting.map(row => row.id)
    await trx
      .updateTable('user')
      .set({
        accountStatus: AccountStatus.active,
        ...audit,
        roleId: sql<string>`coalesce(nullif("roleId", ''), ${roleId ?? ''})`,
      })
      .where('id', 'in', ids)
      .execute()
  }
  const done = rows.filter(row => waiting.includes(row) || isAudited(row, AccountStatus.active, '', person))
  return report(rows, done, '不是待审核状态')
})

const auditRefuse: HandlerOf<typeof user, 'auditRefuse'> = inTransaction(async ({ person, now, values }, trx, rows) => {
  const remark = values.remark ?? ''
  const waiting = rows.filter(row => row.accountStatus === AccountStatus.pending)
  if (waiting.length > 0) {
    const audit = { auditUser: person.userId, auditTime: now, auditRemark: remark }
    const ids = waiting.map(row => row.id)
    await trx
      .updateTable('user')
      .set({ accountStatus: AccountStatus.rejected, ...audit })
      .where('id', 'in', ids)
      .execute()
  }
  const done = rows.filter(row => waiting.includes(row) || isAudited(row, AccountStatus.rejected, remark, person))
  return report(rows, done, '不是待审核状态')
})

/** Switches an account off or on; off ends its sessions at once. */
const changeStatus: Handler = inTransaction(async ({ db, person, now, request }, trx, rows) => {
  const source = { ...(request.body as object | undefined), ...(request.query as object) } as Record<string, unknown>
  const status = Number(source.status)
  if (status !== AccountStatus.active && status !== AccountStatus.disabled)
    throw refuse('input.invalid', { 说明: '状态取值不正确' })
  const ids = rows.map(row => row.id)
  if (status === AccountStatus.disabled && ids.includes(person.userId)) throw refuse('row.builtIn')
  if (rows.every(row => isOwnRepeat(row, row.accountStatus === status, person))) return {}
  if (rows.some(row => row.accountStatus !== 3 - status)) throw refuse('row.wrongState')
  const by = { updateUser: person.userId, updateTime: now }
  await trx
    .updateTable('user')
    .set({ accountStatus: status, ...by })
    .where('id', 'in', ids)
    .execute()
  if (status === AccountStatus.active) return {}
  await requireAdministrator(db)
  await endSessions(trx, ids, 'disabled', now)
  return {}
})

/** What is done to accounts beyond adding, changing and removing them. */
export const userHandlers: HandlersOf<typeof user> = {
  grant,
  resetPassword,
  resetFactor,
  unlock,
  auditPass,
  auditRefuse,
  disable: changeStatus,
  enable: changeStatus,
}
