import type { FastifyInstance } from 'fastify'
import { isDay } from '#engine'
import { PayChannelNo } from '#schemas/dictionaries'
import { person } from '../../../../platform/http/server/access.ts'
import { oneFile } from '../../../../platform/http/server/form.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { serve } from '../../../../platform/http/server/serve.ts'
import { wireDay } from '../../../../platform/http/server/wire.ts'
import { idOf, textOf, type Values } from '../../../exams/server/routes/examination.ts'
import { bringBill, compareDay, compareWithBill } from '../../contract.ts'
import type { ChannelNo } from '../context.ts'
import { compareBill, dayById, type Reconciled, runReconciliation } from '../reconciliation.ts'

/** The day of a call. @throws input.invalid when it is none, payment.billNotReady when it is not over */
function dayOf(values: Values, now: Date): string {
  const day = textOf(values, 'billDate').slice(0, 10)
  if (!isDay(day)) throw refuse('input.invalid', { 说明: '请选择账单日期' })
  if (day >= wireDay(now)) throw refuse('payment.billNotReady')
  return day
}

/** The channel of a call. @throws input.invalid */
function channelOf(values: Values): ChannelNo {
  const given = Number(textOf(values, 'channel'))
  const channel = Object.values(PayChannelNo).find(no => no === given)
  if (!channel) throw refuse('input.invalid', { 说明: '请选择渠道' })
  return channel
}

const answerOf = ({ reconStatus, diffNum }: Reconciled) => ({ reconStatus, diffNum })

/** Comparing a day with the channel's bill, fetched or brought by hand. */
export async function reconciliationRoutes(app: FastifyInstance): Promise<void> {
  serve(app, compareDay, async ({ values, request }) => {
    const { tenantId, userId } = person(request)
    const key = { tenantId, day: dayOf(values, app.now()), channel: channelOf(values) }
    return answerOf(await runReconciliation(app, key, userId))
  })
  serve(app, compareWithBill, async ({ values, request }) => {
    const bytes = await oneFile(request, '.csv').bytes()
    const { tenantId, userId } = person(request)
    const key = { tenantId, day: dayOf(values, app.now()), channel: channelOf(values) }
    return answerOf(await compareBill(app, key, userId, bytes))
  })
  serve(app, bringBill, async ({ values, request }) => {
    const bytes = await oneFile(request, '.csv').bytes()
    const caller = person(request)
    const key = await dayById({ app, person: caller, id: idOf(values, 'id') })
    await compareBill(app, key, caller.userId, bytes)
  })
}
