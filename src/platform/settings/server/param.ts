import { parameterProblem } from '#engine'
import { parameterOf } from '#schemas/parameters'
import { wrongInput } from '../../../crud/input.ts'
import type { HookContext, Hooks } from '../../../crud/rule-types.ts'
import { policyOf } from '../../auth/rules/second-factor.ts'
import { refuse } from '../../http/server/refusal.ts'

const isBuiltIn = (key: unknown): boolean => parameterOf(String(key)) !== undefined

/** A role that is not there would have nobody prove who they are twice. */
async function rolesProblem({ trx, person }: HookContext, text: string): Promise<string | null> {
  const policy = policyOf(text)
  if (typeof policy === 'string') return null
  const roles = await trx
    .selectFrom('role')
    .select('roleAlias')
    .where('tenantId', '=', person.tenantId)
    .where('isDeleted', '=', 0)
    .execute()
  return policy.every(alias => roles.some(role => role.roleAlias === alias)) ? null : '没有这样的角色别名'
}

/** Parameters the program asks for may change their value, as their definition allows, but stay what they are called. */
export const paramHooks: Hooks = {
  async beforeSubmit(ctx, values, before) {
    const isRenamed = before && values.paramKey !== undefined && values.paramKey !== before.paramKey
    if (isRenamed && isBuiltIn(before.paramKey)) throw refuse(29008)
    const key = String(values.paramKey ?? before?.paramKey)
    const parameter = parameterOf(key)
    if (!parameter || values.paramValue === undefined) return values
    const text = String(values.paramValue)
    const msg =
      parameterProblem(parameter, text) ?? (key === 'login.secondFactor' ? await rolesProblem(ctx, text) : null)
    if (msg) throw wrongInput([{ field: 'paramValue', msg }])
    return values
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => isBuiltIn(row.paramKey))) throw refuse(29008)
  },
}
