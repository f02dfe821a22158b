import type { payorder } from '#resources/payment/payorder'
import type { payrefund } from '#resources/payment/payrefund'
import type { ActionContext, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { scoped } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { payContext } from './context.ts'
import { applyRefund, rejectRefund } from './refund.ts'
import { approveRefund, refundByHand, retryRefund } from './refund-channel.ts'

/** Roles that may send back a part of a payment. */
const dividers = ['administrator', 'admin']

async function slipInScope({ app, person, id }: Pick<ActionContext, 'app' | 'person' | 'id'>): Promise<string> {
  const found = await scoped(app, person, 'payrefund').select('id').where('id', '=', id).executeTakeFirst()
  if (!found) throw refuse('row.notFound')
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

interface Wish {
  readonly reason: string
  readonly amount?: number | null | undefined
}

/** Asks for a refund of an order found by one of its columns, if the caller may meet it. */
async function applyBy(
  { app, person, values }: Pick<ActionContext<Wish>, 'app' | 'person' | 'values'>,
  column: 'id' | 'orderNo',
  key: string,
) {
  const order = await scoped(app, person, 'payorder').select('id').where(column, '=', key).executeTakeFirst()
  if (!order) throw refuse('payment.notFound')
  const refundNo = await applyRefund(payContext(app), person, order.id, {
    reason: values.reason,
    amount: values.amount ?? undefined,
    mayDivide: person.roles.some(role => dividers.includes(role)),
  })
  return { refundNo }
}

/** Asks for a refund at the row of an order. */
export const refundOrder: HandlerOf<typeof payorder, 'refund'> = ctx => applyBy(ctx, 'id', ctx.id)

/** What finance does with refunds. */
export const refundHandlers: HandlersOf<typeof payrefund> = {
  apply: ctx => applyBy(ctx, 'orderNo', ctx.values.orderNo),
  approve: async ctx => ({
    message: words[await approveRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx))],
  }),
  reject: async ctx => {
    await rejectRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx), ctx.values.reason)
    return {}
  },
  retry: async ctx => ({ message: words[await retryRefund(payContext(ctx.app), ctx.person, await slipInScope(ctx))] }),
  byHand: async ctx => {
    await refundByHand(payContext(ctx.app), ctx.person, await slipInScope(ctx), ctx.values.remark)
    return {}
  },
}
