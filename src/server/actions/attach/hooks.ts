import { refuse } from '../../domain/refusal.ts'
import type { Hooks } from '../types.ts'

/** A file that something refers to stays. */
export const attachHooks: Hooks = {
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.ownerId)) throw refuse(29003)
  },
}
