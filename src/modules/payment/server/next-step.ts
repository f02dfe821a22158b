import { sql } from 'kysely'
import { PayState } from '#schemas/dictionaries'
import type { Approvals } from '../../../platform/accounts/server/approvals.ts'
import { isTimely } from '../../exams/rules/act-windows.ts'
import type { FactsReader } from '../../sign-up/server/sign-up-summary.ts'
import { paymentWindows } from '../rules/act-windows.ts'

/** Until when a candidate can pay what is due now, how much that is, and whether papers for an exemption from it are being checked. */
export const feeReader =
  ({ awaits }: Pick<Approvals, 'awaits'>): FactsReader<'payUntil' | 'payAmount' | 'isExemptAsked'> =>
  async ({ db, rows, exams, now }) => {
    const dues = await db
      .selectFrom('payrecord')
      .innerJoin('exampay', join =>
        join.onRef('exampay.examId', '=', 'payrecord.examId').onRef('exampay.itemId', '=', 'payrecord.itemId'),
      )
      .select(['payrecord.signupId', 'payrecord.amount', 'exampay.startTime', 'exampay.endTime'])
      .select(awaits('exempt', sql.ref('payrecord.id')).as('isExemptAsked'))
      .where(
        'payrecord.signupId',
        'in',
        rows.map(row => row.id),
      )
      .where('payrecord.payState', '=', PayState.due)
      .execute()
    return ({ id, examId }) => {
      const exam = exams.get(examId)!
      const open = dues.filter(due => due.signupId === id && isTimely(paymentWindows.pay, { exam, fee: due }, now))
      return {
        payUntil: open.map(due => due.endTime).sort((a, b) => a.getTime() - b.getTime())[0] ?? null,
        isExemptAsked: open.some(due => due.isExemptAsked),
        payAmount: open.reduce((sum, due) => sum + Number(due.amount), 0),
      }
    }
  }
