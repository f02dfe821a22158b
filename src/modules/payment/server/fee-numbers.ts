import { sql } from 'kysely'
import { exampay } from '#resources/payment/exampay'
import { PayState } from '#schemas/dictionaries'
import { readMeasures } from '../../../crud/measure.ts'
import type { Derive, Measure, MeasureContext } from '../../../crud/rules.ts'
import { liveAs } from '../../../platform/http/server/live.ts'
import { owingStates, paidStates } from '../rules/pay-record.ts'

type State = (typeof PayState)[keyof typeof PayState]

/** The records of the stage of a fee `t` in some states. */
const records = ({ app, person }: MeasureContext, states: readonly State[]) =>
  liveAs(app, person)
    .selectFrom('payrecord as r')
    .where('r.itemId', '=', sql.ref<string>('t.itemId'))
    .where('r.payState', 'in', [...states])

const number = (ctx: MeasureContext, states: readonly State[]) =>
  sql`${records(ctx, states).select(eb => eb.fn.countAll().as('n'))}`

/** Who owes the fee of a stage, has paid it and is exempt from it, and what has come in. */
export const feeNumbers = {
  dueNum: ctx => number(ctx, owingStates),
  paidNum: ctx => number(ctx, paidStates),
  exemptNum: ctx => number(ctx, [PayState.exempt]),
  income: ctx => sql`coalesce(${records(ctx, paidStates).select(eb => eb.fn.sum('r.amount').as('n'))}, 0)`,
} satisfies Measure<typeof exampay>

/** Fees with what has come of them. */
export const deriveFee: Derive<typeof exampay> = async (ctx, rows) => {
  const found = await readMeasures(ctx, exampay, feeNumbers, rows)
  return rows.map(row => found.get(row.id))
}
