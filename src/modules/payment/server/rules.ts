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
import { closeUnpayable } from './fee-records.ts'
import { confirm, create, handleItem, reverse, verify } from './handlers.ts'
import { exampayHooks, reconciliationHooks } from './hooks.ts'
import { merchantHooks } from './merchant.ts'
import { refundHandlers, refundOrder } from './refund-handlers.ts'
import { stageFeeRules } from './stage-fee.ts'

/** Rules of payment beyond the definitions. */
export const paymentRules = [
  ...stageFeeRules,
  on(signup, 'giveUp', async ({ trx, rows, now }) => {
    for (const { id } of rows) await closeUnpayable(trx, id, now)
  }),
  rules(exampay, { routed: ['releasePay', 'deletePay'], hooks: exampayHooks }),
  rules(payrecord, {
    routed: [
      'exempt',
      'exemptTemplate',
      'importExempt',
      'offlinePay',
      'reopen',
      'applyInvoice',
      'exportInvoice',
      'importInvoice',
    ],
    handlers: { confirmInvoice: confirm, redInvoice: reverse },
  }),
  rules(payorder, { routed: ['check', 'close'], handlers: { refund: refundOrder } }),
  rules(payrefund, { handlers: refundHandlers }),
  rules(reconciliation, { routed: ['run', 'importBill'], hooks: reconciliationHooks }),
  rules(reconciliationitem, { handlers: { handle: handleItem } }),
  rules(exportpaymain, { handlers: { create, verify } }),
  rules(pay, { hooks: merchantHooks }),
]
