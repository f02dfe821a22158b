import { candidatePages } from './candidate/routes.ts'
import { errorPages } from './error/routes.ts'
import { examPages } from './exam/routes.ts'
import { examinePages } from './examine/routes.ts'
import { homePages } from './home/routes.ts'
import { publicPages } from './public/routes.ts'
import { registerPages } from './register/routes.ts'
import { rolePages } from './role/routes.ts'
import type { PageRoute } from './route.ts'
import { ticketPages } from './ticket/routes.ts'

/** Every page made by hand, asked before the generated screens. One line per area. */
export const pages: readonly PageRoute[] = [
  ...homePages,
  ...errorPages,
  ...candidatePages,
  ...publicPages,
  ...registerPages,
  ...examPages,
  ...examinePages,
  ...ticketPages,
  ...rolePages,
]
