import type { send } from '#resources/messages/send'
import type { sendmessage } from '#resources/messages/sendmessage'
import type { sendpay } from '#resources/messages/sendpay'
import { wrongInput } from '../../../crud/input.ts'
import type { ActionContext, Handler, HandlerOf, HandlersOf } from '../../../crud/rules.ts'
import { changeable } from '../../../crud/scope.ts'
import { refuse } from '../../../platform/http/server/refusal.ts'
import { cancelSend, payByBalance } from './order.ts'
import { handVoucher, sureSendPay } from './purchase-acts.ts'
import { resend } from './queue.ts'
import { sendInScope } from './rows.ts'

async function purchaseId({ app, person, id }: Pick<ActionContext, 'app' | 'person' | 'id'>): Promise<string> {
  const row = await changeable(app, person, 'sendpay').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw refuse('row.notFound')
  return row.id
}

const useBalance: Handler = async ({ app, person, id }) => {
  await payByBalance(app, person, (await sendInScope(app, person, id, 'change')).id)
}

const cancel: Handler = async ({ app, db, person, id }) => {
  const found = await sendInScope(app, person, id, 'change')
  await db.transaction().execute(trx => cancelSend(trx, found.id, person))
}

/** Sends messages again that did not arrive. */
export const again: HandlerOf<typeof sendmessage, 'resend'> = async ({ app, person, ids, values }) => {
  const rows = await changeable(app, person, 'sendmessage').select('id').where('id', 'in', ids).execute()
  if (rows.length === 0) throw refuse('row.notFound')
  const own = rows.map(row => row.id)
  return { changed: await resend(app, person, own, values.reason ?? ''), total: ids.length }
}

/** What is done with a sending. What costs nothing is made ready in the same way: nothing leaves the balance. */
export const sendingHandlers: HandlersOf<typeof send, 'sendMessage'> = { useBalance, ready: useBalance, cancel }

/** What is done with a purchase of messages. */
export const purchaseHandlers: HandlersOf<typeof sendpay> = {
  async sureSendPay(ctx) {
    await sureSendPay(ctx.app, ctx.person, await purchaseId(ctx), ctx.values.remark ?? '')
  },
  async voucher(ctx) {
    const { voucher } = ctx.values
    if (!voucher) throw wrongInput([{ field: 'voucher', msg: '请上传转账凭证' }])
    await handVoucher(ctx.app, ctx.person, await purchaseId(ctx), voucher)
  },
}
