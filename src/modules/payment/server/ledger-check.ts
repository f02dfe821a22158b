import { sql } from 'kysely'
import { OrderStatus, PayBizType, PayState, RefundStatus } from '#schemas/dictionaries'
import { type Across, withRemoved } from '../../../platform/database/live.ts'

/** A place where our own books do not fit together. */
export interface Discrepancy {
  /** A paid record without its order, a paid order without its record, or an order that gave back another sum than its slips. */
  kind: 'record' | 'order' | 'refund'
  id: string
}

const { paid, partlyRefunded, refunded } = OrderStatus

const kind = (name: Discrepancy['kind']) => sql.lit(name).as('kind')

/**
 * Where money does not add up: every paid record has a paid order of its amount, every paid order its record, and what an order
 * gave back is the sum of its slips. Empty when Σ orders − Σ refunds = Σ records.
 */
export function ledgerDiscrepancies(db: Across): Promise<Discrepancy[]> {
  return recordsWithoutOrder(db)
    .unionAll(ordersWithoutRecord(db))
    .unionAll(ordersUnlikeSlips(db))
    .orderBy('kind')
    .orderBy('id')
    .limit(1000)
    .execute()
}

const recordsWithoutOrder = (db: Across) =>
  db
    .selectFrom('payrecord as r')
    .leftJoin(withRemoved('payorder as o'), 'o.id', 'r.payOrderId')
    .where('r.payState', 'in', [PayState.paid, PayState.refunding, PayState.refunded])
    .where(eb =>
      eb.or([
        eb('o.id', 'is', null),
        eb('o.bizId', '<>', eb.ref('r.id')),
        eb('o.amount', '<>', eb.ref('r.amount')),
        eb(eb.parens('o.orderStatus', '=', refunded), '<>', eb.parens('r.payState', '=', PayState.refunded)),
        eb('o.orderStatus', 'not in', [paid, partlyRefunded, refunded]),
      ]),
    )
    .select(eb => [kind('record'), eb.cast<string>('r.id', 'text').as('id')])

const ordersWithoutRecord = (db: Across) =>
  db
    .selectFrom('payorder as o')
    .where('o.bizType', '=', PayBizType.examFee)
    .where('o.orderStatus', 'in', [paid, partlyRefunded])
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('payrecord as r')
            .select('r.id')
            .whereRef('r.id', '=', 'o.bizId')
            .whereRef('r.payOrderId', '=', 'o.id'),
        ),
      ),
    )
    .select(eb => [kind('order'), eb.cast<string>('o.id', 'text').as('id')])

const ordersUnlikeSlips = (db: Across) =>
  db
    .selectFrom('payorder as o')
    .where(({ eb, fn, lit, selectFrom }) =>
      eb(
        fn.coalesce('o.refundAmount', lit(0)),
        '<>',
        selectFrom('payrefund as f')
          .select(slips => slips.fn.coalesce(slips.fn.sum<number>('f.amount'), slips.lit(0)).as('amount'))
          .whereRef('f.payOrderId', '=', 'o.id')
          .where('f.refundStatus', '=', RefundStatus.succeeded),
      ),
    )
    .select(eb => [kind('refund'), eb.cast<string>('o.id', 'text').as('id')])
