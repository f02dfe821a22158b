import { parameterProblem, suggestionChangesOf } from '#engine'
import { parameterOf } from '#schemas/parameters'
import type { Param } from '#schemas/system/param'
import { wrongInput } from '../../../crud/input.ts'
import { resourceOf } from '../../../crud/lookup.ts'
import type { HookContext, Hooks } from '../../../crud/rules.ts'
import { policyOf } from '../../auth/rules/second-factor.ts'
import { refuse } from '../../http/server/refusal.ts'

const isBuiltIn = (key: string): boolean => parameterOf(key) !== undefined

/** A role that is not there would have nobody prove who they are twice. */
async function rolesProblem({ db }: HookContext, text: string): Promise<string | null> {
  const policy = policyOf(text)
  if (typeof policy === 'string') return null
  const roles = await db.selectFrom('role').select('roleAlias').execute()
  return policy.every(alias => roles.some(role => role.roleAlias === alias)) ? null : '没有这样的角色别名'
}

/** Keys of what tenants say otherwise of the suggestions of a form, up to its name. */
const SUGGEST = 'suggest.'

/** What is said of an input that suggests nothing would be of no effect. */
function suggestionsProblem(form: string, text: string): string | null {
  const inputs = resourceOf(form).form.flatMap(group => group.inputs)
  const names = Object.keys(suggestionChangesOf(text))
  const isKnown = (name: string) => inputs.some(({ field, suggest }) => suggest && field === name)
  return names.every(isKnown) ? null : '没有这样的推算项，请核对字段名'
}

/** What is wrong with a value beyond its definition. */
async function valueProblem(ctx: HookContext, key: string, text: string): Promise<string | null> {
  if (key === 'login.secondFactor') return rolesProblem(ctx, text)
  return key.startsWith(SUGGEST) ? suggestionsProblem(key.slice(SUGGEST.length), text) : null
}

/** Parameters the program asks for may change their value, as their definition allows, but stay what they are called. */
export const paramHooks: Hooks<typeof Param> = {
  async beforeSubmit(ctx, given, before) {
    const { paramKey: key = '' } = { ...before, ...given }
    if (before && key !== before.paramKey && isBuiltIn(before.paramKey)) throw refuse('row.builtIn')
    const parameter = parameterOf(key)
    const text = given.paramValue
    if (!parameter || text === undefined) return
    const msg = parameterProblem(parameter, text) ?? (await valueProblem(ctx, key, text))
    if (msg) throw wrongInput([{ field: 'paramValue', msg }])
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => isBuiltIn(row.paramKey))) throw refuse('row.builtIn')
  },
}
