import type { FastifyPluginAsync } from 'fastify'
import taskRoutes from '../crud/export-routes.ts'
import archiveRoutes from '../modules/archives/server/routes.ts'
import deskRoutes from '../modules/desk/server/routes/desk.ts'
import siteRoutes from '../modules/desk/server/routes/site.ts'
import developRoutes from '../modules/development/server/routes.ts'
import examRoutes from '../modules/exams/server/routes/index.ts'
import jobRoutes from '../modules/jobs/server/routes.ts'
import sendRoutes from '../modules/messages/server/routes/index.ts'
import smsRoutes from '../modules/messages/server/routes/sms.ts'
import examNoticeRoutes from '../modules/notices/server/routes/exam-notice.ts'
import noticeRoutes from '../modules/notices/server/routes/notice.ts'
import notificationRoutes from '../modules/notifications/server/routes/index.ts'
import payRoutes from '../modules/payment/server/routes/index.ts'
import privacyRoutes from '../modules/privacy/server/routes.ts'
import publicityRoutes from '../modules/publicity/server/routes.ts'
import reductionRoutes from '../modules/reduction/server/routes.ts'
import resultRoutes from '../modules/results/server/routes/index.ts'
import scoreRoutes from '../modules/results/server/routes/score.ts'
import disqualifyRoutes from '../modules/review/server/routes/disqualify.ts'
import examineRoutes from '../modules/review/server/routes/index.ts'
import tipRoutes from '../modules/review/server/routes/tips.ts'
import signupExportRoutes from '../modules/sign-up/server/routes/export.ts'
import signupRoutes from '../modules/sign-up/server/routes/index.ts'
import previewRoutes from '../modules/sign-up/server/routes/preview.ts'
import statisticsRoutes from '../modules/statistics/server/routes.ts'
import checkInRoutes from '../modules/tickets/server/routes/check-in.ts'
import ticketRoutes from '../modules/tickets/server/routes/index.ts'
import webhookRoutes from '../modules/webhooks/server/routes.ts'
import flowRoutes from '../modules/workflow/server/routes/index.ts'
import deptRoutes from '../platform/access/server/routes/dept.ts'
import menuRoutes from '../platform/access/server/routes/menu.ts'
import roleRoutes from '../platform/access/server/routes/role.ts'
import scopeRoutes from '../platform/access/server/routes/scope.ts'
import userRoutes from '../platform/accounts/server/routes/index.ts'
import attachRoutes from '../platform/attachments/server/routes.ts'
import chainJobs from '../platform/audit/server/chain-check.ts'
import logRoutes from '../platform/audit/server/routes/log.ts'
import authorizeRoutes from '../platform/auth/server/routes/authorize.ts'
import bladeAuth from '../platform/auth/server/routes/blade-auth.ts'
import outsideRoutes from '../platform/auth/server/routes/outside.ts'
import backupJobs from '../platform/backup/jobs.ts'
import dictRoutes from '../platform/settings/server/routes/dict.ts'
import draftRoutes from '../platform/settings/server/routes/draft.ts'
import paramRoutes from '../platform/settings/server/routes/param.ts'
import preferenceRoutes from '../platform/settings/server/routes/preference.ts'
import regionRoutes from '../platform/settings/server/routes/region.ts'
import savedViewRoutes from '../platform/settings/server/routes/saved-view.ts'
import tenantRoutes from '../platform/tenants/server/routes/tenant.ts'

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
  preferenceRoutes,
  savedViewRoutes,
  draftRoutes,
  deptRoutes,
  regionRoutes,
  tenantRoutes,
  siteRoutes,
  attachRoutes,
  tipRoutes,
  examNoticeRoutes,
  developRoutes,
  flowRoutes,
  jobRoutes,
  logRoutes,
  examRoutes,
  signupRoutes,
  signupExportRoutes,
  previewRoutes,
  disqualifyRoutes,
  reductionRoutes,
  examineRoutes,
  payRoutes,
  sendRoutes,
  privacyRoutes,
  archiveRoutes,
  smsRoutes,
  ticketRoutes,
  checkInRoutes,
  noticeRoutes,
  notificationRoutes,
  webhookRoutes,
  deskRoutes,
  resultRoutes,
  scoreRoutes,
  publicityRoutes,
  statisticsRoutes,
  taskRoutes,
  backupJobs,
  chainJobs,
]
