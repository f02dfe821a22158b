import { paramKeys } from '../../database/seed/base/params.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Hooks } from '../types.ts'

const isBuiltIn = (key: unknown): boolean => paramKeys.includes(String(key))

/** Parameters the program asks for may change their value, but stay what they are called. */
export const paramHooks: Hooks = {
  async beforeSubmit(_ctx, values, before) {
    const isRenamed = before && values.paramKey !== undefined && values.paramKey !== before.paramKey
    if (isRenamed && isBuiltIn(before.paramKey)) throw refuse(29008)
    return values
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => isBuiltIn(row.paramKey))) throw refuse(29008)
  },
}
