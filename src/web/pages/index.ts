import { candidatePages } from './candidate/routes.ts'
import { checkInPages } from './checkin/routes.ts'
import { developPages } from './develop/routes.ts'
import { errorPages } from './error/routes.ts'
import { examPages } from './exam/routes.ts'
import { examinePages } from './examine/routes.ts'
import { flowPages } from './flow/routes.ts'
import { homePages } from './home/routes.ts'
import { noticePages } from './notice/routes.ts'
import { outsidePages } from './outside/routes.ts'
import { payPages } from './pay/routes.ts'
import { publicPages } from './public/routes.ts'
import { reductionPages } from './reduction/routes.ts'
import { registerPages } from './register/routes.ts'
import { resultPages } from './result/routes.ts'
import { rolePages } from './role/routes.ts'
import type { PageRoute } from './route.ts'
import { sendPages } from './send/routes.ts'
import { statisticsPages } from './statistics/routes.ts'
import { systemPages } from './system/routes.ts'
import { taskPages } from './tasks/routes.ts'
import { ticketPages } from './ticket/routes.ts'

/** Every page made by hand, asked before the generated screens. One line per area. */
export const pages: readonly PageRoute[] = [
  ...homePages,
  ...errorPages,
  ...candidatePages,
  ...publicPages,
  ...registerPages,
  ...outsidePages,
  ...examPages,
  ...examinePages,
  ...reductionPages,
  ...ticketPages,
  ...taskPages,
  ...checkInPages,
  ...payPages,
  ...sendPages,
  ...noticePages,
  ...rolePages,
  ...systemPages,
  ...flowPages,
  ...developPages,
  ...resultPages,
  ...statisticsPages,
]
