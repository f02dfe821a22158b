import type { ActionContext, Handler } from '../../../crud/rule-types.ts'
import { scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { applyRefund, rejectRefund } from './refund.ts'
import { approveRefund, refundByHand, retryRefund } from './refund-channel.ts'

/** Roles that may send back a part of a payment. */
const dividers = ['administrator', 'admin']

async function slipInScope({ app, person, ids }: ActionContext): Promise<string> {
  const found = await scoped(app, person, 'payrefund')
    .select('id')
    .where('id', '=', ids[0] ?? '')
    .executeTakeFirst()
  if (!found) throw refuse(29001)
  return found.id
}

const words: Readonly<Record<string, string>> = {
  unknown: '渠道无此退款',
  running: '退款处理中',
  done: '退款成功',
  closed: '渠道已关闭退款',
  again: '退款已有结果',
  abnormal: '退款异常，请核实后重试或线下退款',
}

/** Asks for a refund of an order found by one of its columns, if the caller may meet it. */
const applyBy =
  (column: 'id' | 'orderNo', keyOf: (ctx: ActionContext) => string): Handler =>
  async ctx => {
    const { app, person, values } = ctx
    const order = await scoped(app, person, 'payorder').select('id').where(column, '=', keyOf(ctx)).executeTakeFirst()
    if (!order) throw refuse(24001)
    const refundNo = await applyRefund(payContext(app), person, order.id, {
      reason: String(values.reason),
      amount: typeof values.amount === 'number' ? values.amount : undefined,
      mayDivide: person.roles.some(role => dividers.includes(role)),
    })
    return { refundNo }
  }

/** Asks for a refund at the row of an order. */
export const refundOrder: Handler = applyBy('id', ({ ids }) => ids[0] ?? '0')

/** What finance does with refunds. */
export const refundHandlers = {
  apply: applyBy('orderNo', ({ values }) => String(values.orderNo)),
  approve: async ctx => ({
    message: words[await approveRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx))],
  }),
  reject: async ctx => {
    await rejectRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx), String(ctx.values.reason))
    return {}
  },
  retry: async ctx => ({ message: words[await retryRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx))] }),
  byHand: async ctx => {
    await refundByHand(payContext(ctx.app), ctx.person, await slipInScope(ctx), String(ctx.values.remark))
    return {}
  },
} satisfies Record<string, Handler>
