import { purgeRules } from './purge/rules.ts'
import { requestRules } from './requests.ts'

/** Rules of what persons ask about the data that are kept of them, and of erasing what need not be kept any longer. */
export const privacyRules = [...requestRules, ...purgeRules]
