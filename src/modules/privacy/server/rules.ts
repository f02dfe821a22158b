import { requestRules } from './requests.ts'

/** Rules of what persons ask about the data that are kept of them. */
export const privacyRules = [...requestRules]
