import { sql } from 'kysely'
import { ExampayStatus, ExamStatus, PayState } from '#schemas/dictionaries'
import type { Approvals } from '../../../platform/accounts/server/approvals.ts'
import { type Live, withRemoved } from '../../../platform/database/live.ts'
import { type Refusal, refuse } from '../../../platform/http/server/refusal.ts'
import { stateOf, untimely } from '../../exams/rules/act-windows.ts'
import { paymentWindows } from '../rules/act-windows.ts'
import { payFacts } from './context.ts'

/**
 * What a candidate owes, paid or need not pay, with the receipt, newest first.
 * @param approvals says of which the papers for an exemption are being checked
 * @param inWords the language of the page
 */
export async function paymentsOf(
  approvals: Pick<Approvals, 'awaits'>,
  db: Live,
  userId: string,
  now: Date,
  inWords: (refusal: Refusal) => string = one => one.message,
) {
  const rows = await myRecords(approvals, db, userId).execute()
  return rows.map(({ payTime, startTime, endTime, graceSeconds, payStatus, examStatus, ...row }) => {
    const running = payStatus !== ExampayStatus.draft && examStatus === ExamStatus.released
    const facts = startTime && endTime ? payFacts({ startTime, endTime, graceSeconds }) : null
    const isDue = row.payState === PayState.due
    const refusal = isDue
      ? running && facts
        ? untimely(paymentWindows.pay, facts, now)
        : refuse('payment.closed')
      : null
    return {
      ...row,
      payTime,
      startTime,
      endTime,
      windowState: facts ? stateOf(paymentWindows.pay, facts, now) : ('closed' as const),
      canPay: isDue && refusal === null,
      /** Why what is due cannot be paid now, in words. */
      block: refusal ? inWords(refusal) : '',
      serverTime: now,
    }
  })
}

/** What a candidate can and has to pay now. */
export async function unpaidOf(approvals: Pick<Approvals, 'awaits'>, db: Live, userId: string, now: Date) {
  const all = await paymentsOf(approvals, db, userId, now)
  return all
    .filter(record => record.canPay)
    .map(({ id, examId, examName, itemId, itemName, payName, amount, startTime, endTime, serverTime }) => ({
      id,
      payRecordId: id,
      examId,
      examName,
      itemId,
      itemName,
      payName,
      amount,
      startTime,
      endTime,
      serverTime,
    }))
}

function myRecords({ awaits }: Pick<Approvals, 'awaits'>, db: Live, userId: string) {
  return db
    .selectFrom('payrecord as r')
    .innerJoin(withRemoved('examination as e'), 'e.id', 'r.examId')
    .innerJoin(withRemoved('examinationitem as i'), 'i.id', 'r.itemId')
    .leftJoin('exampay as p', 'p.itemId', 'r.itemId')
    .leftJoin(withRemoved('payorder as o'), 'o.id', 'r.payOrderId')
    .where('r.userId', '=', userId)
    .select([
      'r.id',
      'r.signupId',
      'r.examId',
      'e.examName',
      'r.itemId',
      'i.itemName',
      'r.unit',
      'r.code',
      'r.amount',
      'r.payState',
      'r.payTime',
      'r.channel',
      'r.exemptReason',
      'r.isInvoice',
      'r.invoiceStatus',
      'r.invoiceNo',
      'o.orderNo',
      'o.transactionId',
      'r.invoiceFile',
      'r.invoiceType',
      'r.invoiceTitle',
      'r.taxNo',
      'r.invoiceEmail',
      'p.startTime',
      'p.endTime',
      'p.payStatus',
      'e.graceSeconds',
      'e.examStatus',
      awaits('exempt', sql.ref('r.id')).as('isExemptAsked'),
      eb => eb.fn.coalesce('p.payName', 'i.itemName').as('payName'),
    ])
    .orderBy('r.createTime', 'desc')
    .orderBy('r.id', 'desc')
}
