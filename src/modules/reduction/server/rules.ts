import { examitems } from '#resources/exams/examitems'
import { postreductionname } from '#resources/reduction/postreductionname'
import { signup } from '#resources/sign-up/signup'
import { on, rules } from '../../../crud/rules.ts'
import { positionHooks } from '../../exams/server/hooks.ts'
import { removeFromList } from './handlers.ts'
import { leaveList } from './names.ts'
import { derivePeople, totalPeople } from './position-counts.ts'

/** Rules of positions, with what a reduction would make of them, and of its name list. */
export const reductionRules = [
  on(signup, 'giveUp', async ({ trx, rows, now }) => {
    for (const { id } of rows) await leaveList(trx, id, now)
  }),
  rules(examitems, { hooks: { ...positionHooks, derive: derivePeople, total: totalPeople } }),
  rules(postreductionname, { handlers: { removeName: removeFromList } }),
]
