import { sql } from 'kysely'
import { exemptSheet } from '#resources/payment/exempt-sheet'
import { OrderStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { refuseArchived } from '../../../crud/archived.ts'
import { inScope } from '../../../crud/scope.ts'
import { sheetRules } from '../../../crud/sheet-rules.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import type { Trx } from '../../../platform/database/database.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { closeOpenOrders } from './order-at-channel.ts'
import { payContext } from './context.ts'
import { noRows } from './no-rows.ts'
import { updateTotals } from './ledger.ts'

const states: Readonly<Record<number, string>> = {
  [PayState.paid]: '已缴费',
  [PayState.exempt]: '已免缴',
  [PayState.refunding]: '退款处理中',
  [PayState.refunded]: '已退款',
  [PayState.closed]: '缴费已关闭',
}

/**
 * Waives the fee of everybody on a sheet, found by ID number among the records of a stage. Open orders are closed first;
 * money that came wins. Refuses file.notFound for a proof that is not there, exams.archived, row.changed when somebody paid
 * meanwhile, payment.channelUnavailable.
 */
export const exemptSheetRules = sheetRules(exemptSheet, {
  business: 'payexempt',
  repeats: 'taken',
  empty: noRows,
  find: async ({ app, db, person, fixed }, rows) => {
    const byHash = new Map(rows.map(({ idCard }) => [app.vault.hash(person.tenantId, idCard), idCard]))
    const records = await db
      .selectFrom('payrecord')
      .select(['id', 'examId', 'name', 'payState', 'idCardHash'])
      .where(inScope(app, person, 'payrecord'))
      .where('itemId', '=', fixed.itemId)
      .where('idCardHash', 'in', byHash.size > 0 ? [...byHash.keys()] : [''])
      .execute()
    return records.map(record => ({ ...record, idCard: byHash.get(record.idCardHash ?? '') ?? '' }))
  },
  absent: () => '没有该考生的缴费记录',
  check: (_row, { payState }) =>
    payState === PayState.due ? [] : [{ field: 'idCard', msg: states[payState] ?? '状态不符' }],
  before: async (rows, { app }) => {
    await refuseArchived(
      app.db,
      rows.map(({ found }) => found.examId),
    )
    await closeOpenOrders(
      payContext(app),
      rows.map(({ found }) => found.id),
      '免缴',
    )
  },
  save: async (rows, { trx, person: { tenantId, userId }, fixed: { exemptFile: proof }, now }) => {
    const reasons = new Map(rows.map(({ values, found }) => [found.id, values.exemptReason]))
    await tieFile(trx, proof, { tenantId, id: [...reasons.keys()][0] ?? '' })
    await exemptMany(trx, reasons, { userId, proof }, now)
  },
})

/** Moves all records in one statement; whoever is not due any more stops it. */
async function exemptMany(
  trx: Trx,
  reasons: ReadonlyMap<string, string>,
  { userId, proof }: { userId: string; proof: string },
  now: Date,
): Promise<void> {
  const ids = [...reasons.keys()]
  await trx
    .selectFrom('signup')
    .innerJoin('payrecord', 'payrecord.signupId', 'signup.id')
    .where('payrecord.id', 'in', ids)
    .select('signup.id')
    .orderBy('signup.id')
    .forNoKeyUpdate('signup')
    .execute()
  const { rows } = await sql<{ mainId: string; signupId: string }>`
    UPDATE payrecord r SET "payState" = ${PayState.exempt}, "exemptReason" = g.reason, "exemptFile" = ${proof}, version = r.version + 1,
      "updateUser" = ${userId}, "updateTime" = ${now}
    FROM unnest(${ids}::bigint[], ${[...reasons.values()]}::text[]) AS g (id, reason)
    WHERE r.id = g.id AND r."payState" = ${PayState.due} AND r."isDeleted" = 0
      AND NOT EXISTS (SELECT 1 FROM payorder o WHERE o."bizType" = ${sql.lit(PayBizType.examFee)} AND o."bizId" = r.id AND o."orderStatus" = ${sql.lit(OrderStatus.unpaid)})
    RETURNING r."mainId"::text AS "mainId", r."signupId"::text AS "signupId"`.execute(trx)
  if (rows.length < ids.length) throw refuse('row.changed')
  await trx
    .updateTable('signup')
    .set({ payState: PayState.exempt, updateTime: now })
    .where(
      'id',
      'in',
      rows.map(row => row.signupId),
    )
    .execute()
  for (const mainId of new Set(rows.map(row => row.mainId))) await updateTotals(trx, mainId, now)
}
