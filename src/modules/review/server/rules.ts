import { examinetip } from '#resources/sign-up/examinetip'
import { rules } from '../../../crud/rules.ts'
import { tipHooks } from './tips.ts'
import { staffWork } from './work-of-staff.ts'

/** Rules of the phrases of reviewers beyond their definition, what waits for each of them and for a second person. */
export const reviewRules = [rules(examinetip, { hooks: tipHooks }), staffWork]
