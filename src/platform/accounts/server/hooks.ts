import { birthdayOf, commaList, type Given, idCardProblem, type Row, type Settable, sexOf } from '#engine'
import { userEvents } from '#resources/system/events'
import { IdType, UserType } from '#schemas/dictionaries'
import type { User as Users } from '#schemas/system/user'
import { emit } from '../../../crud/emit.ts'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { requireAdministrator, requireGivable, requireManageable } from '../../access/server/rights.ts'
import { endSessions } from '../../auth/server/session.ts'
import { refuse } from '../../http/server/refusal.ts'
import { hashPassword, randomPassword } from '../../vault/password.ts'
import { type Reach, tellContactChanged } from './contact-changed.ts'
import { rememberPassword, requireGoodPassword } from './set-password.ts'

const accountPattern = /^[\p{L}\d][\p{L}\d_.@-]{1,44}$/u

type User = typeof Users

function checkAccount({ account }: Given<User>): void {
  if (account !== undefined && !accountPattern.test(account))
    throw refuse('input.invalid', { 说明: '登录账号应为2到45个字母、数字、下划线、点或横线' })
}

/** Sex and birthday stand in a national ID number; what is typed beside it does not count. */
function fromIdCard(given: Given<User>, before: Row<User> | null): Settable<User> {
  const { idType } = { ...before, ...given }
  const { idCard } = given
  if (idType !== IdType.residentCard || !idCard) return {}
  const problem = idCardProblem(idCard)
  if (problem) throw refuse('input.invalid', { 说明: problem }, [{ field: 'idCard', msg: problem }])
  return { sex: sexOf(idCard), birthday: birthdayOf(idCard) }
}

/** The password columns: a new account without one gets a random one, which nobody knows until it is reset. */
async function passwordOf(ctx: HookContext, given: Given<User>, before: Row<User> | null): Promise<Settable<User>> {
  if (before && !given.password) return { password: undefined }
  const [opened] = given.password ? await ctx.app.cipher.open([given.password], ctx.now) : [randomPassword()]
  const password = opened ?? given.password ?? ''
  const { userType = UserType.staff, account = '' } = { ...before, ...given }
  const holder = { id: before?.id ?? '0', account, userType, password: before?.password ?? null }
  await requireGoodPassword(ctx.trx, holder, password)
  if (before) await rememberPassword(ctx.trx, holder, ctx.now)
  return { password: await hashPassword(password), mustChangePwd: 1, pwdUpdateTime: ctx.now }
}

async function checkRoles({ db, person }: HookContext, given: Given<User>, before: Row<User> | null): Promise<void> {
  if (before) await requireManageable(db, person, [before])
  const userType = given.userType ?? before?.userType ?? UserType.staff
  const roleIds = commaList(given.roleId ?? before?.roleId)
  const had = commaList(before?.roleId)
  const isSameKind = userType === before?.userType
  const changed = isSameKind ? roleIds.filter(id => !had.includes(id)) : roleIds
  await requireGivable(db, person, changed, [userType])
}

/**
 * The quota counts staff: candidates come as they like.
 * @throws tenants.accountLimitReached when the tenant has as many as it may
 */
async function checkQuota({ trx, db, person }: HookContext, { userType }: Given<User>): Promise<void> {
  if (userType === UserType.candidate) return
  const tenant = await trx
    .selectFrom('tenant')
    .select('accountNumber')
    .where('tenantId', '=', person.tenantId)
    .forNoKeyUpdate()
    .executeTakeFirst()
  const limit = tenant?.accountNumber ?? -1
  if (limit < 0) return
  const { n } = await db
    .selectFrom('user')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('userType', '!=', UserType.candidate)
    .executeTakeFirstOrThrow()
  if (Number(n) >= limit) throw refuse('tenants.accountLimitReached')
}

/** Rows as the database has them hold the search hash and the mask of a sealed field beside it. */
const reachOf = (row: Row<User>): Reach => row as unknown as Reach

/** Rules of accounts that the definition cannot say. */
export const userHooks: Hooks<User> = {
  async beforeSubmit(ctx, given, before) {
    checkAccount(given)
    await checkRoles(ctx, given, before)
    if (!before) await checkQuota(ctx, given)
    ctx.set(await passwordOf(ctx, given, before))
    if (!before) ctx.set({ name: given.name || given.realName })
    ctx.set(fromIdCard(given, before))
  },

  async afterSubmit({ app, trx, db, person, now }, row, before) {
    if (!before) return
    await tellContactChanged({ tenantId: person.tenantId, vault: app.vault }, db, reachOf(before), reachOf(row))
    const isPasswordNew = row.password !== before.password
    if (isPasswordNew) {
      await endSessions(trx, [row.id], 'password', now)
      await emit(db, userEvents.passwordReset, [row])
    } else if (row.userType !== before.userType) await endSessions(trx, [row.id], 'role', now)
    await requireAdministrator(db)
  },

  async beforeRemove({ trx, db, person, now }, rows) {
    await requireManageable(db, person, rows)
    const ids = rows.map(row => row.id)
    if (ids.includes(person.userId)) throw refuse('row.builtIn')
    await trx.updateTable('user').set({ isDeleted: 1 }).where('id', 'in', ids).execute()
    await requireAdministrator(db)
    await endSessions(trx, ids, 'removed', now)
  },
}
