import { signup } from '#resources/sign-up/signup'
import { rules } from '../../../crud/rules.ts'
import { leaveRules } from './leave.ts'

/** Rules of sign-ups beyond their definition: their actions have routes of their own. */
export const signUpRules = [
  ...leaveRules,
  rules(signup, { later: ['derive', 'text'], routed: ['reveal', 'strike', 'restore', 'revoke', 'reduce', 'unlist'] }),
]
