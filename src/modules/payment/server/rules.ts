import { exampay } from '#resources/payment/exampay'
import { exportpaymain } from '#resources/payment/exportpaymain'
import { pay } from '#resources/payment/pay'
import { payorder } from '#resources/payment/payorder'
import { payrecord } from '#resources/payment/payrecord'
import { payrefund } from '#resources/payment/payrefund'
import { reconciliation } from '#resources/payment/reconciliation'
import { reconciliationitem } from '#resources/payment/reconciliationitem'
import { signup } from '#resources/sign-up/signup'
import { on, rules } from '../../../crud/rules.ts'
import { programOf } from '../../../platform/http/server/live.ts'
import { createExport, verifyExport } from './export-batch.ts'
import { exampayHooks, stageFeeRules } from './fee.ts'
import { feeNumbers, recordNumbers } from './fee-numbers.ts'
import { closeUnpayable } from './fee-records.ts'
import { merchantHooks } from './merchant.ts'
import { orderHandlers } from './order-handlers.ts'
import { compareAgain, handleDifference, reconciliationHooks } from './reconciliation.ts'
import { recordHandlers } from './records-handlers.ts'
import { refundHandlers } from './refund.ts'

/** Rules of payment beyond the definitions. */
export const paymentRules = [
  ...stageFeeRules,
  on(signup, 'giveUp', async ({ trx, rows, caller, now }) => {
    for (const { id } of rows) await closeUnpayable(programOf(trx, caller, now), id)
  }),
  rules(exampay, {
    routed: ['releasePay', 'deletePay'],
    hooks: { ...exampayHooks, measure: feeNumbers },
  }),
  rules(payrecord, {
    routed: [
      'exempt',
      'exemptTemplate',
      'importExempt',
      'offlinePay',
      'reopen',
      'applyInvoice',
      'exportInvoice',
      'exportAsked',
      'importInvoice',
    ],
    handlers: recordHandlers,
    hooks: { measure: recordNumbers },
  }),
  rules(payorder, { routed: ['check', 'close'], handlers: orderHandlers }),
  rules(payrefund, { handlers: refundHandlers }),
  rules(reconciliation, {
    routed: ['run', 'importBill', 'bringBill'],
    handlers: { again: compareAgain },
    hooks: reconciliationHooks,
  }),
  rules(reconciliationitem, { handlers: { handle: handleDifference } }),
  rules(exportpaymain, { handlers: { create: createExport, verify: verifyExport } }),
  rules(pay, { hooks: merchantHooks }),
]
