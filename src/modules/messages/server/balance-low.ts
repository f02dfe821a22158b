import { sql } from 'kysely'
import type { sendledger } from '#resources/messages/sendledger'
import { LedgerType } from '#schemas/dictionaries'
import type { Measure, MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'

/** Days whose use the balance should last for. */
const days = 7

/** Whether movement `t` is the last of its tenant and leaves less than the last days have used. */
export const balanceMeasure = {
  isLow: ({ app, person, now }: MeasureContext) => {
    const db = liveAs(app, person)
    const last = db.selectFrom('sendledger as l').select(eb => eb.fn.max('l.id').as('id'))
    const used = db
      .selectFrom('sendledger as u')
      .select(sql<number>`coalesce(-sum(u.num), 0)`.as('n'))
      .where('u.changeType', 'in', [LedgerType.use, LedgerType.return])
      .where('u.createTime', '>=', new Date(now.getTime() - days * 86_400_000))
    return sql`(t.id = (${last}) AND t.balance < (${used}))::int`
  },
} satisfies Measure<typeof sendledger>
