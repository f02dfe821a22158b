import { type ReactNode, useEffect, useRef } from 'react'
import { timeOf } from '../../platform/http/browser/clock.ts'
import { useT } from '../../platform/i18n/i18n.ts'
import { useServerNow } from './clock.ts'
import { leftText } from './times.ts'

/** Below this many milliseconds the time left is coloured. */
const SOON = 3 * 3_600_000

/** Time left until a moment of the server's clock; `onEnd` is called once when it is reached. */
export function Countdown({ until, onEnd }: { until: string; onEnd?: () => void }): ReactNode {
  const t = useT()
  const left = timeOf(until) - useServerNow()
  const isOver = left <= 0
  const ended = useRef(onEnd)
  ended.current = onEnd
  const began = useRef(isOver)
  useEffect(() => {
    if (isOver && !began.current) ended.current?.()
    began.current = isOver
  }, [isOver])
  if (Number.isNaN(left)) return null
  return (
    <time className="my-left" data-soon={left < SOON || undefined}>
      {isOver ? t('已截止') : leftText(left, t)}
    </time>
  )
}
