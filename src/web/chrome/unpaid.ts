import { App } from 'antd'
import { useEffect, useEffectEvent, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import type { AnswerOf } from '#engine'
import { myUnpaid } from '../../modules/payment/contract.ts'
import { call } from '../../platform/http/browser/call.ts'
import { useT } from '../../platform/i18n/i18n.ts'

/** Milliseconds between two notifications. */
const APART = 300
const TARGET = '/signup/examPay'
/** Says that this session has been told; forgotten with the session. */
const TOLD = 'juxian-unpaid'

/** Without room beside the page, all notifications stand in the middle below the bar, and the page begins below them. */
const isNarrow = (): boolean => matchMedia('(width < 1320px)').matches

/** Says how high the reminders are together, for the page that begins below them. @returns ends it */
function measure(): () => void {
  const watch = new ResizeObserver(([list]) => {
    document.body.style.setProperty('--reminders', `${list?.contentRect.height ?? 0}px`)
  })
  const begin = setTimeout(() => {
    const list = document.querySelector('.unpaid')?.parentElement
    if (list) watch.observe(list)
  }, APART)
  return () => {
    clearTimeout(begin)
    watch.disconnect()
  }
}

/** What a candidate still owes. */
type Unpaid = AnswerOf<typeof myUnpaid>[number]

/** On entering: one notification for each unpaid item, 300 ms apart, staying until closed or the payments are opened, where a click leads. */
export function useUnpaidNotices(): void {
  const t = useT()
  const { notification } = App.useApp()
  const navigate = useNavigate()
  const { pathname } = useLocation()
  const shown = useRef<string[]>([])
  const show = useEffectEvent((item: Unpaid) => {
    const key = `unpaid-${item.payRecordId}`
    shown.current.push(key)
    const yuan = (Number(item.amount) / 100).toFixed(2)
    notification.warning({
      key,
      title: t('待缴费提醒'),
      description: t('{{exam}} {{item}}：待缴 {{yuan}} 元，{{end}} 截止', {
        exam: item.examName,
        item: item.itemName,
        yuan,
        end: item.endTime.slice(0, 16),
      }),
      duration: 0,
      ...(isNarrow() && { placement: 'top' as const }),
      onClick: () => void navigate(TARGET),
      className: 'unpaid',
    })
  })
  useEffect(() => {
    if (pathname === TARGET) for (const key of shown.current.splice(0)) notification.destroy(key)
  }, [pathname, notification])
  useEffect(() => {
    let timers: ReturnType<typeof setTimeout>[] = []
    let left = false
    let end = (): void => undefined
    // Entering is signing in; a reload or a second look at the page is not.
    if (sessionStorage.getItem(TOLD)) return
    const plan = (answer: Unpaid[]): void => {
      if (left) return
      // Other servers may answer this call with rows of another kind.
      const items = answer.filter(item => item.payRecordId && item.endTime)
      if (items.length > 0) sessionStorage.setItem(TOLD, '1')
      timers = items.map((item, at) => setTimeout(() => show(item), at * APART))
      if (items.length > 0 && isNarrow()) end = measure()
    }
    call(myUnpaid, {}, { pass: 'all' }).then(plan, () => undefined)
    return () => {
      left = true
      end()
      timers.forEach(clearTimeout)
    }
  }, [])
}
