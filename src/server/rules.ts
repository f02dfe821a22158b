import type { Resources } from '#resources'
import { exportRules } from '../crud/export-rules.ts'
import { byResource, type RulesWanted } from '../crud/rules.ts'
import { archiveRules } from '../modules/archives/server/rules.ts'
import { developmentRules } from '../modules/development/server/rules.ts'
import { examRules } from '../modules/exams/server/rules.ts'
import { jobRules } from '../modules/jobs/server/rules.ts'
import { messageRules } from '../modules/messages/server/rules.ts'
import { noticeRules } from '../modules/notices/server/rules.ts'
import { notificationRules } from '../modules/notifications/server/rules.ts'
import { paymentRules } from '../modules/payment/server/rules.ts'
import { privacyRules } from '../modules/privacy/server/rules.ts'
import { publicityRules } from '../modules/publicity/server/rules.ts'
import { reductionRules } from '../modules/reduction/server/rules.ts'
import { resultRules } from '../modules/results/server/rules.ts'
import { reviewRules } from '../modules/review/server/rules.ts'
import { signUpRules } from '../modules/sign-up/server/rules.ts'
import { ticketRules } from '../modules/tickets/server/rules.ts'
import { webhookRules } from '../modules/webhooks/server/rules.ts'
import { workflowRules } from '../modules/workflow/server/rules.ts'
import { accessRules } from '../platform/access/server/rules.ts'
import { accountRules } from '../platform/accounts/server/rules.ts'
import { attachmentRules } from '../platform/attachments/server/rules.ts'
import { auditRules } from '../platform/audit/server/rules.ts'
import { authRules } from '../platform/auth/server/rules.ts'
import { settingRules } from '../platform/settings/server/rules.ts'
import { tenantRules } from '../platform/tenants/server/rules.ts'

/**
 * Rules beyond the definitions, by resource. A resource whose definition asks for code and that has no rules here does not
 * compile.
 */
export const rules = byResource([
  ...accessRules,
  ...accountRules,
  ...archiveRules,
  ...attachmentRules,
  ...auditRules,
  ...authRules,
  ...developmentRules,
  ...examRules,
  ...exportRules,
  ...jobRules,
  ...messageRules,
  ...noticeRules,
  ...notificationRules,
  ...paymentRules,
  ...publicityRules,
  ...privacyRules,
  ...reductionRules,
  ...resultRules,
  ...reviewRules,
  ...settingRules,
  ...signUpRules,
  ...tenantRules,
  ...ticketRules,
  ...webhookRules,
  ...workflowRules,
]) satisfies RulesWanted<Resources>
