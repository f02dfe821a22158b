import { PayBizType } from '#schemas/dictionaries'
import { refuseArchived } from '../modules/exams/server/archived.ts'
import { examScope } from '../modules/exams/server/exam-scope.ts'
import { itemsSeed } from '../modules/exams/server/seed.ts'
import { jobsSeed } from '../modules/jobs/server/built-in-server.ts'
import { messagePackages } from '../modules/messages/server/product.ts'
import { takeMessageReceipt } from '../modules/messages/server/sms/receipts.ts'
import { tellByText } from '../modules/messages/server/tell.ts'
import { sendUnlisted } from '../modules/messages/server/unlisted.ts'
import { questionsSeed } from '../modules/notices/server/seed.ts'
import { accountPaused, smsTrouble } from '../modules/notifications/server/account-paused.ts'
import { callOffOver } from '../modules/notifications/server/remind.ts'
import { settleOwn } from '../modules/notifications/server/tell.ts'
import { takeWechatPush } from '../modules/notifications/server/wechat-push.ts'
import { feeReader } from '../modules/payment/server/next-step.ts'
import { draftCorrections } from '../modules/publicity/server/corrections.ts'
import { decideChoice } from '../modules/reduction/server/review.ts'
import { resultReader } from '../modules/results/server/next-step.ts'
import { checkActs } from '../modules/review/server/log-chain.ts'
import { signupIdentity } from '../modules/sign-up/server/identity.ts'
import { ticketReader } from '../modules/tickets/server/next-step.ts'
import { checkStageTimes } from '../modules/tickets/server/seat-lock.ts'
import { enterDeliveries } from '../modules/webhooks/server/enter.ts'
import { approvals } from '../modules/workflow/server/approvals.ts'
import { expenseSeed, leaveSeed } from '../modules/workflow/server/seed.ts'
import { taskDoers } from '../modules/workflow/server/task-told.ts'
import type { Extensions } from '../platform/http/server/extensions.ts'
import { fileAccess } from './file-access.ts'

/** What later modules provide to earlier ones. */
export const extensions: Extensions = {
  accountPaused,
  approvals,
  callOffOver,
  chains: { examinelog: checkActs },
  checkStageTimes,
  decideChoice,
  eventListeners: [draftCorrections, enterDeliveries],
  fileAccess,
  importKinds: { examitems: 'position' },
  identity: signupIdentity,
  nextStep: { fee: feeReader(approvals), ticket: ticketReader, result: resultReader },
  owningRows: { exam: refuseArchived },
  scopes: { exam: examScope },
  sendUnlisted,
  settleOwn,
  products: { [PayBizType.smsPackage]: messagePackages },
  smsTrouble,
  seeds: [itemsSeed, questionsSeed, leaveSeed, expenseSeed, jobsSeed],
  takeReceipt: [takeMessageReceipt],
  takeWechatPush,
  taskDoers,
  tellByText,
}
