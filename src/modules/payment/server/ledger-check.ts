import { sql } from 'kysely'
import { OrderStatus, PayBizType, PayState, RefundStatus } from '#schemas/dictionaries'
import type { Reader } from '../../../platform/database/database.ts'

/** A place where our own books do not fit together. */
export interface Discrepancy {
  /** A paid record without its order, a paid order without its record, or an order that gave back another sum than its slips. */
  kind: 'record' | 'order' | 'refund'
  id: string
}

const { paid, partlyRefunded, refunded } = OrderStatus

/**
 * Where money does not add up: every paid record has a paid order of its amount, every paid order its record, and what an order
 * gave back is the sum of its slips. Empty when Σ orders − Σ refunds = Σ records.
 */
export async function ledgerDiscrepancies(db: Reader): Promise<Discrepancy[]> {
  const { rows } = await sql<Discrepancy>`
    SELECT 'record' AS kind, r.id::text AS id FROM payrecord r LEFT JOIN payorder o ON o.id = r."payOrderId"
    WHERE r."isDeleted" = 0 AND r."payState" IN (${PayState.paid}, ${PayState.refunding}, ${PayState.refunded})
      AND (o.id IS NULL OR o."bizId" <> r.id OR o.amount <> r.amount
        OR (o."orderStatus" = ${refunded}) <> (r."payState" = ${PayState.refunded})
        OR o."orderStatus" NOT IN (${paid}, ${partlyRefunded}, ${refunded}))
    UNION ALL
    SELECT 'order', o.id::text FROM payorder o
    WHERE o."isDeleted" = 0 AND o."bizType" = ${PayBizType.examFee} AND o."orderStatus" IN (${paid}, ${partlyRefunded})
      AND NOT EXISTS (SELECT 1 FROM payrecord r WHERE r.id = o."bizId" AND r."payOrderId" = o.id AND r."isDeleted" = 0)
    UNION ALL
    SELECT 'refund', o.id::text FROM payorder o
    WHERE o."isDeleted" = 0 AND coalesce(o."refundAmount", 0) <> (
      SELECT coalesce(sum(f.amount), 0) FROM payrefund f
      WHERE f."payOrderId" = o.id AND f."refundStatus" = ${RefundStatus.succeeded} AND f."isDeleted" = 0)
    ORDER BY 1, 2 LIMIT 1000`.execute(db)
  return rows
}
