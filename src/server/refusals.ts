import type { Refusals } from '#engine'
import { archivesRefusals } from '../modules/archives/refusals.ts'
import { examsRefusals } from '../modules/exams/refusals.ts'
import { jobsRefusals } from '../modules/jobs/refusals.ts'
import { messagesRefusals } from '../modules/messages/refusals.ts'
import { paymentRefusals } from '../modules/payment/refusals.ts'
import { privacyRefusals } from '../modules/privacy/refusals.ts'
import { reductionRefusals } from '../modules/reduction/refusals.ts'
import { resultsRefusals } from '../modules/results/refusals.ts'
import { reviewRefusals } from '../modules/review/refusals.ts'
import { signupRefusals } from '../modules/sign-up/refusals.ts'
import { ticketsRefusals } from '../modules/tickets/refusals.ts'
import { workflowRefusals } from '../modules/workflow/refusals.ts'
import { accountsRefusals } from '../platform/accounts/refusals.ts'
import { authRefusals } from '../platform/auth/refusals.ts'
import { baseRefusals } from '../platform/http/refusals.ts'
import { tenantsRefusals } from '../platform/tenants/refusals.ts'

/** Every refusal of the program. A table that is declared but not listed here does not compile. */
export const refusals = {
  ...baseRefusals,
  ...authRefusals,
  ...accountsRefusals,
  ...tenantsRefusals,
  ...examsRefusals,
  ...signupRefusals,
  ...paymentRefusals,
  ...reviewRefusals,
  ...reductionRefusals,
  ...ticketsRefusals,
  ...resultsRefusals,
  ...messagesRefusals,
  ...privacyRefusals,
  ...archivesRefusals,
  ...workflowRefusals,
  ...jobsRefusals,
} satisfies Refusals
