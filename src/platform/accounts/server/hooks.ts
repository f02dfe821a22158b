import { birthdayOf, idCardProblem, sexOf } from '#engine'
import { IdType, UserType } from '#schemas/dictionaries'
import type { HookContext, Hooks, Values } from '../../../crud/rule-types.ts'
import { type Managed, requireAdministrator, requireGivable, requireManageable } from '../../access/server/rights.ts'
import { idList } from '../../auth/rules/session.ts'
import { endSessions } from '../../auth/server/session.ts'
import { refuse } from '../../http/server/refusal.ts'
import { hashPassword, randomPassword } from '../../vault/password.ts'
import { rememberPassword, requireGoodPassword } from './set-password.ts'

const accountPattern = /^[\p{L}\d][\p{L}\d_.@-]{1,44}$/u

function checkAccount(values: Values): void {
  if (typeof values.account === 'string' && !accountPattern.test(values.account))
    throw refuse(29005, { 说明: '登录账号应为2到45个字母、数字、下划线、点或横线' })
}

/** Sex and birthday stand in a national ID number; what is typed beside it does not count. */
function fromIdCard(values: Values, before: Values | null): Values {
  const idType = values.idType ?? before?.idType
  const idCard = values.idCard
  if (idType !== IdType.residentCard || typeof idCard !== 'string' || !idCard) return {}
  const problem = idCardProblem(idCard)
  if (problem) throw refuse(29005, { 说明: problem }, [{ field: 'idCard', msg: problem }])
  return { sex: sexOf(idCard), birthday: birthdayOf(idCard) }
}

/** The password columns: a new account without one gets a random one, which nobody knows until it is reset. */
async function passwordOf(ctx: HookContext, values: Values, before: Values | null): Promise<Values> {
  const { password: given, ...rest } = values
  const isGiven = typeof given === 'string' && given !== ''
  if (before && !isGiven) return rest
  const [opened] = isGiven ? await ctx.app.cipher.open([given], ctx.now) : [randomPassword()]
  const password = opened ?? String(given)
  const userType = Number(values.userType ?? before?.userType ?? 1)
  const account = String(values.account ?? before?.account ?? '')
  const holder = { id: String(before?.id ?? 0), account, userType, password: (before?.password as string) ?? null }
  await requireGoodPassword(ctx.trx, holder, password)
  if (before) await rememberPassword(ctx.trx, holder, ctx.now)
  return { ...rest, password: await hashPassword(password), mustChangePwd: 1, pwdUpdateTime: ctx.now }
}

async function checkRoles({ trx, person }: HookContext, values: Values, before: Values | null): Promise<void> {
  if (before) await requireManageable(trx, person, [before as unknown as Managed])
  const userType = Number(values.userType ?? before?.userType ?? 1)
  const roleIds = idList((values.roleId ?? before?.roleId) as string | null)
  const had = idList(before?.roleId as string | null)
  const isSameKind = userType === before?.userType
  const changed = isSameKind ? roleIds.filter(id => !had.includes(id)) : roleIds
  await requireGivable(trx, person, changed, [userType])
}

/** The quota counts staff: candidates come as they like. @throws 20018 when the tenant has as many as it may */
async function checkQuota({ trx, person }: HookContext, { userType }: Values): Promise<void> {
  if (userType === UserType.candidate) return
  const tenant = await trx
    .selectFrom('tenant')
    .select('accountNumber')
    .where('tenantId', '=', person.tenantId)
    .forUpdate()
    .executeTakeFirst()
  const limit = tenant?.accountNumber ?? -1
  if (limit < 0) return
  const { n } = await trx
    .selectFrom('user')
    .select(eb => eb.fn.countAll<string>().as('n'))
    .where('tenantId', '=', person.tenantId)
    .where('userType', '!=', UserType.candidate)
    .where('isDeleted', '=', 0)
    .executeTakeFirstOrThrow()
  if (Number(n) >= limit) throw refuse(20018)
}

/** Rules of accounts that the definition cannot say. */
export const userHooks: Hooks = {
  async beforeSubmit(ctx, values, before) {
    checkAccount(values)
    await checkRoles(ctx, values, before)
    if (!before) await checkQuota(ctx, values)
    const name = before ? {} : { name: values.name || values.realName }
    return { ...(await passwordOf(ctx, values, before)), ...name, ...fromIdCard(values, before) }
  },

  async afterSubmit({ trx, now, person }, row, before) {
    if (!before) return
    const isPasswordNew = row.password !== before.password
    if (isPasswordNew) await endSessions(trx, [String(row.id)], 'password', now)
    else if (row.userType !== before.userType) await endSessions(trx, [String(row.id)], 'role', now)
    await requireAdministrator(trx, person.tenantId)
  },

  async beforeRemove({ trx, person, now }, rows) {
    await requireManageable(trx, person, rows as unknown as Managed[])
    const ids = rows.map(row => String(row.id))
    if (ids.includes(person.userId)) throw refuse(29008)
    await trx.updateTable('user').set({ isDeleted: 1 }).where('id', 'in', ids).execute()
    await requireAdministrator(trx, person.tenantId)
    await endSessions(trx, ids, 'removed', now)
  },
}
