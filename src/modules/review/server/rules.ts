import { examinetip } from '#resources/sign-up/examinetip'
import { rules } from '../../../crud/rules.ts'
import { tipHooks } from './tips.ts'

/** Rules of the phrases of reviewers beyond their definition. */
export const reviewRules = [rules(examinetip, { hooks: tipHooks })]
