import { examitems } from '#resources/exams/examitems'
import { postreductionname } from '#resources/reduction/postreductionname'
import { rules } from '../../../crud/rules.ts'
import { positionHooks } from '../../exams/server/hooks.ts'
import { removeFromList } from './handlers.ts'
import { derivePeople, totalPeople } from './position-counts.ts'

/** Rules of positions, with what a reduction would make of them, and of its name list. */
export const reductionRules = [
  rules(examitems, { hooks: { ...positionHooks, derive: derivePeople, total: totalPeople } }),
  rules(postreductionname, { handlers: { removeName: removeFromList } }),
]
