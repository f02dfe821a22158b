import { randomInt } from 'node:crypto'
import { Refusal, refuse } from '../../domain/refusal.ts'
import type { Hooks } from '../types.ts'

const tries = 20

/** New tenants get a number of six digits that none has had. */
export const tenantHooks: Hooks = {
  async beforeSubmit({ trx }, values, before) {
    if (before) return values
    for (let i = 0; i < tries; i++) {
      const tenantId = String(randomInt(100_000, 1_000_000))
      const taken = await trx.selectFrom('tenant').select('id').where('tenantId', '=', tenantId).executeTakeFirst()
      if (!taken) return { ...values, tenantId }
    }
    throw new Refusal(500, 500, '租户编号已用尽')
  },

  async beforeRemove(_ctx, rows) {
    if (rows.some(row => row.tenantId === '000000')) throw refuse(29008)
  },
}
