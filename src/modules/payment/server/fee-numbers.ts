import { sql } from 'kysely'
import type { exampay } from '#resources/payment/exampay'
import type { payrecord } from '#resources/payment/payrecord'
import { PayState, TaskStatus } from '#schemas/dictionaries'
import type { Measure, MeasureContext } from '../../../crud/rules.ts'
import { withRemoved } from '../../../platform/database/live.ts'
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

/** Payments of a fee `t` that no batch has as they stand: paid or returned since, or never taken into one. */
const unbooked = (ctx: MeasureContext) => {
  const booked = liveAs(ctx.app, ctx.person)
    .selectFrom('exportpay as b')
    .innerJoin('exportpaymain as m', 'm.id', 'b.mainId')
    .select('b.id')
    .where('b.payRecordId', '=', sql.ref<string>('r.id'))
    .where('m.exportStatus', '=', TaskStatus.done)
    .where('b.refundAmount', '=', sql<number>`coalesce(o."refundAmount", 0)`)
  return records(ctx, paidStates)
    .innerJoin(withRemoved('payorder as o'), 'o.id', 'r.payOrderId')
    .select('r.id')
    .where(eb => eb.not(eb.exists(booked)))
}

/** Who owes the fee of a stage, has paid it and is exempt from it, and what has come in. */
export const feeNumbers = {
  dueNum: ctx => number(ctx, owingStates),
  paidNum: ctx => number(ctx, paidStates),
  exemptNum: ctx => number(ctx, [PayState.exempt]),
  income: ctx => sql`coalesce(${records(ctx, paidStates).select(eb => eb.fn.sum('r.amount').as('n'))}, 0)`,
  isUnbooked: ctx => sql`(EXISTS (${unbooked(ctx)}))::int`,
} satisfies Measure<typeof exampay>

const inStates = (states: readonly State[]) => sql`t."payState" IN (${sql.join(states.map(one => sql.lit(one)))})`

/** What has come in of a record `t`, as it counts for its fee; nothing where nothing has. Whether papers for an exemption are checked. */
export const recordNumbers = {
  isExemptAsked: ({ app }) =>
    sql`(${inStates([PayState.due])} AND ${app.extensions.approvals.awaits('exempt', sql.ref('t.id'))})::int`,
  income: () => sql`(CASE WHEN ${inStates(paidStates)} THEN t.amount END)`,
} satisfies Measure<typeof payrecord>
