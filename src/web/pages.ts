import { publicPages } from '../modules/desk/pages/public/routes.ts'
import { homePages } from '../modules/desk/pages/routes.ts'
import { developPages } from '../modules/development/pages/routes.ts'
import { examPages } from '../modules/exams/pages/routes.ts'
import { jobPages } from '../modules/jobs/pages/routes.ts'
import { sendPages } from '../modules/messages/pages/routes.ts'
import { noticePages } from '../modules/notices/pages/routes.ts'
import { inboxPages } from '../modules/notifications/pages/routes.ts'
import { purgePages } from '../modules/privacy/pages/routes.ts'
import { reductionPages } from '../modules/reduction/pages/routes.ts'
import { resultPages } from '../modules/results/pages/routes.ts'
import { examinePages } from '../modules/review/pages/routes.ts'
import { formBuilderPages } from '../modules/sign-up/pages/form-builder/routes.ts'
import { statisticsPages } from '../modules/statistics/pages/routes.ts'
import { checkInPages } from '../modules/tickets/pages/check-in/routes.ts'
import { ticketPages } from '../modules/tickets/pages/routes.ts'
import { flowPages } from '../modules/workflow/pages/routes.ts'
import { rolePages } from '../platform/access/pages/routes.ts'
import { registerPages } from '../platform/accounts/pages/register/routes.ts'
import { systemPages } from '../platform/accounts/pages/system/routes.ts'
import { outsidePages } from '../platform/auth/pages/outside/routes.ts'
import type { PageRoute } from '../screens/parts/route.ts'
import { taskPages } from '../screens/tasks/routes.ts'
import { candidatePages } from './candidate-routes.ts'
import { errorPages } from './error/routes.ts'

/** Every page made by hand, asked before the generated screens. One line per area. */
export const pages: readonly PageRoute[] = [
  ...homePages,
  ...errorPages,
  ...candidatePages,
  ...publicPages,
  ...registerPages,
  ...outsidePages,
  ...examPages,
  ...formBuilderPages,
  ...examinePages,
  ...reductionPages,
  ...ticketPages,
  ...taskPages,
  ...checkInPages,
  ...sendPages,
  ...jobPages,
  ...noticePages,
  ...inboxPages,
  ...purgePages,
  ...rolePages,
  ...systemPages,
  ...flowPages,
  ...developPages,
  ...resultPages,
  ...statisticsPages,
]
