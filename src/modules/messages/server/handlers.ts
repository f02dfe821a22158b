import type { ActionContext, Handler, Handlers } from '../../../crud/rule-types.ts'
import { changeable } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { cancelSend, payByBalance } from './order.ts'
import { closeSendPay, handVoucher, rejectSendPay, sureSendPay } from './purchase-acts.ts'
import { resend } from './queue.ts'
import { sendInScope } from './rows.ts'

async function purchaseId({ app, person, ids }: ActionContext): Promise<string> {
  const row = await changeable(app, person, 'sendpay')
    .select('id')
    .where('id', '=', ids[0] ?? '')
    .executeTakeFirst()
  if (!row) throw refuse(29001)
  return row.id
}

const useBalance: Handler = async ({ app, person, ids }) => {
  await payByBalance(app, person, (await sendInScope(app, person, ids[0] ?? '', 'change')).id)
  return {}
}

const cancel: Handler = async ({ app, person, ids, now }) => {
  const { id } = await sendInScope(app, person, ids[0] ?? '', 'change')
  await app.db.transaction().execute(trx => cancelSend(trx, id, person.userId, now))
  return {}
}

const again: Handler = async ({ app, person, ids }) => {
  const rows = await changeable(app, person, 'sendmessage').select('id').where('id', 'in', ids).execute()
  if (rows.length === 0) throw refuse(29001)
  const own = rows.map(row => row.id)
  return { changed: await resend(app, person, own), total: ids.length }
}

/** What is done about messages, by resource and action. */
export const sendHandlers = {
  // What costs nothing is made ready in the same way: nothing leaves the balance.
  send: { useBalance, ready: useBalance, cancel },
  sendmessage: { resend: again },
  sendpay: {
    sureSendPay: async ctx => {
      await sureSendPay(ctx.app, ctx.person, await purchaseId(ctx), String(ctx.values.remark ?? ''))
      return {}
    },
    reject: async ctx => {
      await rejectSendPay(ctx.app, ctx.person, await purchaseId(ctx), String(ctx.values.remark))
      return {}
    },
    close: async ctx => {
      await closeSendPay(ctx.app, ctx.person, await purchaseId(ctx))
      return {}
    },
    voucher: async ctx => {
      await handVoucher(ctx.app, ctx.person, await purchaseId(ctx), String(ctx.values.voucher))
      return {}
    },
  },
} satisfies Handlers
