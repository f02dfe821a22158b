import { parameterProblem } from '#engine'
import { parameterOf } from '#schemas/parameters'
import { wrongInput } from '../../crud/input.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Hooks } from '../types.ts'

const isBuiltIn = (key: unknown): boolean => parameterOf(String(key)) !== undefined

/** Parameters the program asks for may change their value, as their definition allows, but stay what they are called. */
export const paramHooks: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    const isRenamed = before && values.paramKey !== undefined && values.paramKey !== before.paramKey
    if (isRenamed && isBuiltIn(before.paramKey)) throw refuse(29008)
    const parameter = parameterOf(String(values.paramKey ?? before?.paramKey))
    const msg = parameter && values.paramValue !== undefined && parameterProblem(parameter, String(values.paramValue))
    if (msg) throw wrongInput([{ field: 'paramValue', msg }])
    return values
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => isBuiltIn(row.paramKey))) throw refuse(29008)
  },
}
