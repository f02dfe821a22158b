import { examitems } from '#resources/exams/examitems'
import { postreductionname } from '#resources/reduction/postreductionname'
import { signup } from '#resources/sign-up/signup'
import { derived, on, rules } from '../../../crud/rules.ts'
import { liveFor } from '../../../platform/database/live.ts'
import { removeFromList } from './handlers.ts'
import { leaveList } from './names.ts'
import { derivePeople, totalPeople } from './position-counts.ts'

/** Rules of the name list of a reduction, and how many people each position has. */
export const reductionRules = [
  on(signup, 'giveUp', async ({ trx, rows, caller, now }) => {
    const own = liveFor(trx, { tenantId: caller.tenantId, userId: null, now: () => now })
    for (const { id } of rows) await leaveList(own, id)
  }),
  derived(examitems, { derive: derivePeople, total: totalPeople }),
  rules(postreductionname, { handlers: { removeName: removeFromList } }),
]
