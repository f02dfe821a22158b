import { postreductionname } from '#resources/reduction/postreductionname'
import { rules } from '../../../crud/rules.ts'
import { removeFromList } from './handlers.ts'

/** Rules of the name list of reductions beyond its definition. */
export const reductionRules = [rules(postreductionname, { handlers: { removeName: removeFromList } })]
