import type { FastifyPluginAsync } from 'fastify'
import attachRoutes from './attach.ts'
import bladeAuth from './blade-auth.ts'
import deptRoutes from './dept.ts'
import dictRoutes from './dict.ts'
import examRoutes from './exam.ts'
import noticeRoutes from './exam-notice.ts'
import examineRoutes from './examine.ts'
import menuRoutes from './menu.ts'
import payRoutes from './pay.ts'
import regionRoutes from './region.ts'
import roleRoutes from './role.ts'
import signupRoutes from './signup.ts'
import siteRoutes from './site.ts'
import tenantRoutes from './tenant.ts'
import ticketRoutes from './ticket.ts'
import userRoutes from './user.ts'

/** Routes written by hand, one plugin per Blade service. They are registered before the generated ones, which step aside. */
export const routes: FastifyPluginAsync[] = [
  ...[bladeAuth, userRoutes, menuRoutes, roleRoutes, dictRoutes, deptRoutes, regionRoutes, tenantRoutes, siteRoutes],
  attachRoutes,
  ...[examRoutes, signupRoutes, examineRoutes, payRoutes, ticketRoutes, noticeRoutes],
]
