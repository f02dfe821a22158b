import { sql } from 'kysely'
import { payrecordEvents } from '#resources/payment/events'
import { exemptSheet } from '#resources/payment/exempt-sheet'
import { OrderStatus, PayBizType, PayState } from '#schemas/dictionaries'
import { Payrecord } from '#schemas/payment/payrecord'
import { emit } from '../../../crud/emit.ts'
import { keepHistory } from '../../../crud/history.ts'
import { inScope } from '../../../crud/scope.ts'
import { noRows, sheetRules } from '../../../crud/sheet-rules.ts'
import { tieFile } from '../../../crud/stored-file.ts'
import { type LiveTrx, withRemoved } from '../../../platform/database/live.ts'
import { liveAs, programOf } from '../../../platform/http/server/live.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { refuseArchived } from '../../exams/server/archived.ts'
import { notDueWords } from '../rules/pay-record.ts'
import { type Actor, actingAs, payContext } from './context.ts'
import { lockSignups, updateTotals } from './ledger.ts'
import { closeOpenOrders } from './order-at-channel.ts'

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
    payState === PayState.due ? [] : [{ field: 'idCard', msg: notDueWords[payState] ?? '状态不符' }],
  before: async (rows, { app, person }) => {
    const db = liveAs(app, person)
    await refuseArchived(
      db,
      rows.map(({ found }) => found.examId),
    )
    await app.extensions.approvals.requireFree(
      db,
      'exempt',
      rows.map(({ found }) => found.id),
    )
    await closeOpenOrders(
      payContext(app),
      rows.map(({ found }) => found.id),
      '免缴',
    )
  },
  save: async (rows, { trx, person, fixed: { exemptFile: proof }, now }) => {
    const reasons = new Map(rows.map(({ values, found }) => [found.id, values.exemptReason]))
    await tieFile(trx, proof, { tenantId: person.tenantId, id: [...reasons.keys()][0] ?? '' })
    await exemptMany(programOf(trx, person, now), person, reasons, proof, now)
  },
})

/** Moves all records in one statement; whoever is not due any more stops it. @throws row.changed */
async function exemptMany(
  trx: LiveTrx,
  actor: Actor,
  reasons: ReadonlyMap<string, string>,
  exemptFile: string,
  now: Date,
): Promise<void> {
  const ids = [...reasons.keys()]
  const owing = await trx.selectFrom(withRemoved('payrecord')).selectAll().where('id', 'in', ids).execute()
  await lockSignups(
    trx,
    owing.map(({ signupId }) => signupId),
  )
  const own = actingAs(trx, actor, now)
  const given = sql<{ id: string; reason: string }>`unnest(${ids}::bigint[], ${[...reasons.values()]}::text[])`
  const exempted = await own
    .updateTable('payrecord as r')
    .from(given.as<'g'>(sql`g (id, reason)`))
    .set(eb => ({
      payState: PayState.exempt,
      exemptReason: eb.ref('g.reason'),
      exemptFile,
      version: eb('r.version', '+', 1),
    }))
    .whereRef('r.id', '=', 'g.id')
    .where('r.payState', '=', PayState.due)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom(withRemoved('payorder as o'))
            .select('o.id')
            .whereRef('o.bizId', '=', 'r.id')
            .where('o.bizType', '=', PayBizType.examFee)
            .where('o.orderStatus', '=', OrderStatus.unpaid),
        ),
      ),
    )
    .returningAll('r')
    .execute()
  if (exempted.length < ids.length) throw refuse('row.changed')
  const before = new Map(owing.map(row => [row.id, row]))
  await keepHistory(
    trx,
    Payrecord,
    exempted.map(row => [before.get(row.id) ?? row, row] as const),
    { act: 'importExempt', userId: actor.userId, now },
  )
  await trx
    .updateTable(withRemoved('signup'))
    .set({ payState: PayState.exempt })
    .where(
      'id',
      'in',
      exempted.map(row => row.signupId),
    )
    .execute()
  for (const mainId of new Set(exempted.map(row => row.mainId))) await updateTotals(trx, mainId)
  await emit(trx, payrecordEvents.exempted, exempted)
}
