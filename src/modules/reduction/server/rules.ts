import { examitems } from '#resources/exams/examitems'
import { postreductionname } from '#resources/reduction/postreductionname'
import { signup } from '#resources/sign-up/signup'
import { derived, on, rules } from '../../../crud/rules.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { removeFromList } from './handlers.ts'
import { leaveList } from './names.ts'
import { derivePeople, measurePeople, totalPeople } from './position-counts.ts'

/** Rules of the name list of a reduction, and how many people each position has. */
export const reductionRules = [
  on(signup, 'giveUp', async ({ trx, rows, caller, now }) => {
    for (const { id } of rows) await leaveList(programOf(trx, caller, now), id)
  }),
  derived(examitems, { derive: derivePeople, total: totalPeople, measure: measurePeople }),
  rules(postreductionname, { handlers: { removeName: removeFromList }, later: ['remind'] }),
]
