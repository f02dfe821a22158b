import type { FastifyInstance } from 'fastify'
import { PayChannelNo } from '#schemas/dictionaries'
import { isDay } from '../../../../crud/input.ts'
import { person } from '../../../../platform/http/server/access.ts'
import { ok } from '../../../../platform/http/server/envelope.ts'
import { refuse } from '../../../../platform/http/server/refusal.ts'
import { wireDay } from '../../../../platform/http/server/wire.ts'
import { textOf, valuesOf } from '../../../exams/server/routes/examination.ts'
import { runReconciliation } from '../reconcile.ts'

type Values = Record<string, unknown>

/** The day of a call. @throws input.invalid when it is none, payment.billNotReady when it is not over */
export function dayOf(values: Values, now: Date): string {
  const day = textOf(values, 'billDate').slice(0, 10)
  if (!isDay(day)) throw refuse('input.invalid', { 说明: '请选择账单日期' })
  if (day >= wireDay(now)) throw refuse('payment.billNotReady')
  return day
}

/** The channel of a call. @throws input.invalid */
export function channelOf(values: Values): 1 | 2 | 9 {
  const channel = Number(textOf(values, 'channel'))
  if (channel !== PayChannelNo.wechat && channel !== PayChannelNo.offline && channel !== PayChannelNo.simulated)
    throw refuse('input.invalid', { 说明: '请选择渠道' })
  return channel
}

/** Comparing a day with the channel's own bill. */
export async function reconciliationRoutes(app: FastifyInstance): Promise<void> {
  const access = { permission: 'reconciliation_run' }
  app.post('/api/blade-reconciliation/reconciliation/run', { config: { access } }, async request => {
    const values = valuesOf(request)
    const { tenantId, userId } = person(request)
    const key = { tenantId, day: dayOf(values, app.now()), channel: channelOf(values) }
    const { reconStatus, diffNum } = await runReconciliation(app, key, userId)
    return ok({ reconStatus, diffNum })
  })
}
