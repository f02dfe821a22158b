import type { Hooks } from '../../../crud/rule-types.ts'
import { refuse } from '../../http/server/refusal.ts'

/** A file that something refers to stays. */
export const attachHooks: Hooks = {
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.ownerId)) throw refuse(29003)
  },
}
