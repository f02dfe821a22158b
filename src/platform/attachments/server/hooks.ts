import type { Attach } from '#schemas/resource/attach'
import type { Hooks } from '../../../crud/rules.ts'
import { refuse } from '../../http/server/refusal.ts'

/** A file that something refers to stays. */
export const attachHooks: Hooks<typeof Attach> = {
  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.ownerId)) throw refuse('row.inUse')
  },
}
