import type { FastifyPluginAsync } from 'fastify'
import attachRoutes from './attach.ts'
import authorizeRoutes from './authorize.ts'
import bladeAuth from './blade-auth.ts'
import checkInRoutes from './checkin.ts'
import contentRoutes from './content.ts'
import deptRoutes from './dept.ts'
import deskRoutes from './desk.ts'
import developRoutes from './develop.ts'
import dictRoutes from './dict.ts'
import examRoutes from './exam.ts'
import examNoticeRoutes from './exam-notice.ts'
import examineRoutes from './examine.ts'
import flowRoutes from './flow.ts'
import jobRoutes from './job.ts'
import logRoutes from './log.ts'
import menuRoutes from './menu.ts'
import noticeRoutes from './notice.ts'
import outsideRoutes from './outside.ts'
import paramRoutes from './param.ts'
import payRoutes from './pay.ts'
import reductionRoutes from './reduction.ts'
import regionRoutes from './region.ts'
import resultRoutes from './result.ts'
import roleRoutes from './role.ts'
import scopeRoutes from './scope.ts'
import scoreRoutes from './score.ts'
import sendRoutes from './send.ts'
import signupRoutes from './signup.ts'
import signupExportRoutes from './signup-export.ts'
import siteRoutes from './site.ts'
import smsRoutes from './sms.ts'
import statisticsRoutes from './statistics.ts'
import taskRoutes from './tasks.ts'
import tenantRoutes from './tenant.ts'
import ticketRoutes from './ticket.ts'
import userRoutes from './user.ts'

/** Routes written by hand, one plugin per Blade service. They are registered before the generated ones, which step aside. */
export const routes: FastifyPluginAsync[] = [
  bladeAuth,
  outsideRoutes,
  authorizeRoutes,
  userRoutes,
  menuRoutes,
  roleRoutes,
  scopeRoutes,
  dictRoutes,
  paramRoutes,
  deptRoutes,
  regionRoutes,
  tenantRoutes,
  siteRoutes,
  attachRoutes,
  contentRoutes,
  examNoticeRoutes,
  developRoutes,
  flowRoutes,
  jobRoutes,
  logRoutes,
  examRoutes,
  signupRoutes,
  signupExportRoutes,
  reductionRoutes,
  examineRoutes,
  payRoutes,
  sendRoutes,
  smsRoutes,
  ticketRoutes,
  checkInRoutes,
  noticeRoutes,
  deskRoutes,
  resultRoutes,
  scoreRoutes,
  statisticsRoutes,
  taskRoutes,
]
