import { useEffect, useEffectEvent, useState } from 'react'
import { OrderStatus } from '#schemas/dictionaries/pay'
import { call } from '../../../../platform/http/browser/call.ts'
import { keepTime, serverNow, timeOf } from '../../../../platform/http/browser/clock.ts'
import { ApiError } from '../../../../platform/http/browser/http.ts'
import { useT } from '../../../../platform/i18n/i18n.ts'
import { followPayment, type Order, type OrderState, startPayment } from '../../contract.ts'

/** Milliseconds between two questions whether it was paid, and by how much they vary so that not all phones ask at once. */
const EVERY = 3000
const JITTER = 600

/** Where a payment stands: being prepared, to be paid, lapsed, done, or not possible with the reason. */
export type Paying =
  | { at: 'making' }
  | { at: 'open'; order: Order }
  | { at: 'lapsed' }
  | { at: 'paid'; state: OrderState }
  | { at: 'failed'; reason: string }

/** An order for a due: made at once, looked after every three seconds, renewed by `again`. */
export function useOrder(payRecordId: string) {
  const t = useT()
  const [paying, setPaying] = useState<Paying>({ at: 'making' })
  // A new object asks again, also for the same due.
  const [asked, setAsked] = useState({ payRecordId })
  const made = useEffectEvent((order: Order) => {
    keepTime(order.serverTime)
    setPaying({ at: 'open', order })
  })
  const failed = useEffectEvent((error: unknown) => {
    const reason = error instanceof ApiError ? error.message : t('网络不通，请检查网络后重试')
    setPaying({ at: 'failed', reason })
  })
  useEffect(() => {
    const controller = new AbortController()
    setPaying({ at: 'making' })
    call(startPayment, asked, { signal: controller.signal, pass: 'all' }).then(
      order => controller.signal.aborted || made(order),
      error => controller.signal.aborted || failed(error),
    )
    return () => controller.abort()
  }, [asked])

  const order = paying.at === 'open' ? paying.order : undefined
  const look = useEffectEvent(async (open: Order): Promise<void> => {
    const state = await call(followPayment, { orderNo: open.orderNo }, { pass: 'all' })
    keepTime(state.serverTime)
    if (state.orderStatus === OrderStatus.paid) setPaying({ at: 'paid', state })
    else if (state.orderStatus !== OrderStatus.unpaid || serverNow() >= timeOf(open.expireTime))
      setPaying({ at: 'lapsed' })
  })
  useEffect(() => {
    if (!order) return
    let timer: ReturnType<typeof setTimeout>
    const plan = (): void => {
      timer = setTimeout(ask, EVERY + (Math.random() * 2 - 1) * JITTER)
    }
    // A question that failed is asked again: the network comes and goes while people change over to their bank.
    const ask = (): void =>
      void look(order)
        .catch(() => undefined)
        .then(plan)
    plan()
    return () => clearTimeout(timer)
  }, [order])
  return { paying, again: () => setAsked({ payRecordId }) }
}
